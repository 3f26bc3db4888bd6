#include "imaging/save.hpp"

#include <algorithm>
#include <string_view>

#include "imaging/encode/avif.hpp"
#include "imaging/encode/png.hpp"
#include "imaging/encode/webp.hpp"
#include "imaging/evaluation.hpp"
#include "imaging/file_target.hpp"
#include "imaging/jpeg/recode.hpp"
#include "imaging/strip/strip.hpp"
#include "imaging/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int most_webp_effort = 6;

// libvips 8.14 strips some metadata from some formats; this is what leaves none.
VImage without_metadata(const VImage& image, bool keep_profile) {
    VImage bare = image.copy();
    gchar** fields = vips_image_get_fields(bare.get_image());
    for (gchar** field = fields; *field != nullptr; ++field) {
        const std::string_view name(*field);
        const bool kept = name == VIPS_META_SEQUENTIAL || (keep_profile && name == VIPS_META_ICC_NAME);
        if (!kept) vips_image_remove(bare.get_image(), *field);
    }
    g_strfreev(fields);
    return bare;
}

// Through an intermediate at full quality, whose coefficients are then quantised with care.
void save_small_jpeg(const VImage& image, FileTarget& file, const Encoding& encoding) {
    const auto subsample = encoding.quality >= 90 ? VIPS_FOREIGN_SUBSAMPLE_OFF : VIPS_FOREIGN_SUBSAMPLE_ON;
    VipsBlob* fine = image.jpegsave_buffer(
        VImage::option()->set("Q", 100)->set("subsample_mode", subsample)->set("strip", !encoding.keep_metadata));
    std::size_t size = 0;
    const auto* data = static_cast<const std::uint8_t*>(vips_blob_get(fine, &size));
    JpegRecoding recoding;
    recoding.quality = encoding.quality;
    recoding.keep_metadata = encoding.keep_metadata;
    const auto bytes = recode_jpeg({data, size}, recoding);
    vips_area_unref(VIPS_AREA(fine));
    if (!bytes) throw vips::VError("jpeg: the coefficients can't be recoded");
    file.write({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
}

void save_jpeg(const VImage& image, FileTarget& file, const Encoding& encoding) {
    // Coefficients take two bytes a sample, and all are held.
    constexpr double most_pixels_held = 100e6;
    if (encoding.smallest && image.width() * 1.0 * image.height() <= most_pixels_held) {
        save_small_jpeg(image, file, encoding);
        return;
    }
    image.jpegsave_target(file.as_vips_target(), VImage::option()
                                                     ->set("strip", !encoding.keep_metadata)
                                                     ->set("Q", encoding.quality)
                                                     ->set("optimize_coding", true));
}

void save_png(const VImage& image, FileTarget& file, const Encoding& encoding) {
    if (can_encode_png(image, encoding)) {
        encode_png(image, file, encoding);
        return;
    }
    image.pngsave_target(file.as_vips_target(), VImage::option()->set("compression", 6));
}

// libvips 8.14 writes an EXIF block of its own making whatever it is told: it is taken out again.
void save_webp(const VImage& image, FileTarget& file, const Encoding& encoding) {
    if (can_encode_webp(image, encoding)) {
        encode_webp(image, file, encoding);
        return;
    }
    VipsBlob* blob = image.webpsave_buffer(VImage::option()
                                               ->set("Q", encoding.quality)
                                               ->set("lossless", encoding.lossless)
                                               ->set("effort", std::min(encoding.effort, most_webp_effort)));
    std::size_t size = 0;
    const auto* data = static_cast<const std::uint8_t*>(vips_blob_get(blob, &size));
    std::optional<Pieces> pieces;
    if (!encoding.keep_metadata) pieces = strip(ImageFormat::webp, {data, size}, 1);
    if (!pieces) {
        pieces.emplace();
        pieces->keep({data, size});
    }
    pieces->write_to([&](std::span<const std::uint8_t> piece) { return file.write(piece); });
    vips_area_unref(VIPS_AREA(blob));
}

void save_as(const VImage& image, FileTarget& file, const Encoding& encoding) {
    switch (encoding.format) {
        case ImageFormat::jpeg: return save_jpeg(image, file, encoding);
        case ImageFormat::png: return save_png(image, file, encoding);
        case ImageFormat::avif: return encode_avif(image, file, encoding);
        case ImageFormat::webp: return save_webp(image, file, encoding);
        case ImageFormat::jxl:
            image.jxlsave_target(file.as_vips_target(), VImage::option()
                                                            ->set("Q", encoding.quality)
                                                            ->set("lossless", encoding.lossless)
                                                            ->set("effort", encoding.effort));
            return;
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
        const VImage pixels =
            encoding.keep_metadata ? unwrap(image) : without_metadata(unwrap(image), encoding.keep_profile);
        const Evaluation evaluation(pixels, context.progress, context.cancelled);
        save_as(pixels, *file, encoding);
        if (rows_have_failed()) throw vips::VError();
        return true;
    });
    if (file->failure()) return *file->failure();
    if (!saved) return saved.error();
    return file->size();
}

}  // namespace tessera::imaging
