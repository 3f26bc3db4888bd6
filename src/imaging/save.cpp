#include "imaging/save.hpp"

#include <algorithm>
#include <string_view>

#include "imaging/encode_avif.hpp"
#include "imaging/evaluation.hpp"
#include "imaging/file_target.hpp"
#include "imaging/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int most_webp_effort = 6;

// libvips 8.14 strips some metadata from some formats; this is what leaves none.
VImage without_metadata(const VImage& image) {
    VImage bare = image.copy();
    gchar** fields = vips_image_get_fields(bare.get_image());
    for (gchar** field = fields; *field != nullptr; ++field) {
        if (std::string_view(*field) != VIPS_META_SEQUENTIAL) vips_image_remove(bare.get_image(), *field);
    }
    g_strfreev(fields);
    return bare;
}

void save_with_vips(const VImage& image, FileTarget& file, const Encoding& encoding) {
    const vips::VTarget target = file.as_vips_target();
    switch (encoding.format) {
        case ImageFormat::jpeg:
            image.jpegsave_target(target, VImage::option()
                                              ->set("strip", !encoding.keep_metadata)
                                              ->set("Q", encoding.quality)
                                              ->set("optimize_coding", true)
                                              ->set("interlace", encoding.progressive));
            return;
        case ImageFormat::png: image.pngsave_target(target, VImage::option()->set("compression", 6)); return;
        case ImageFormat::webp:
            image.webpsave_target(target, VImage::option()
                                              ->set("Q", encoding.quality)
                                              ->set("lossless", encoding.lossless)
                                              ->set("effort", std::min(encoding.effort, most_webp_effort)));
            return;
        case ImageFormat::jxl:
            image.jxlsave_target(target, VImage::option()
                                             ->set("Q", encoding.quality)
                                             ->set("lossless", encoding.lossless)
                                             ->set("effort", encoding.effort));
            return;
        case ImageFormat::avif:
        case ImageFormat::gif:
        case ImageFormat::heif: break;
    }
    throw vips::VError("no encoder for this format");
}

}  // namespace

JobResult<std::int64_t> save(const Image& image, const std::filesystem::path& path, const Encoding& encoding,
                             const SaveContext& context) {
    auto file = FileTarget::create(path, context.max_bytes);
    if (!file) return std::move(file).error();
    const auto saved = guarded([&] {
        const VImage pixels = encoding.keep_metadata ? unwrap(image) : without_metadata(unwrap(image));
        const Evaluation evaluation(pixels, context.progress, context.cancelled);
        if (encoding.format == ImageFormat::avif) {
            encode_avif(pixels, *file, encoding);
        } else {
            save_with_vips(pixels, *file, encoding);
        }
        return true;
    });
    if (file->failure()) return *file->failure();
    if (!saved) return saved.error();
    return file->size();
}

}  // namespace tessera::imaging
