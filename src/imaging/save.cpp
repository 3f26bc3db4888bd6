#include "imaging/save.hpp"

#include <memory>
#include <string_view>

#include "imaging/encode/avif.hpp"
#include "imaging/encode/png.hpp"
#include "imaging/encode/webp.hpp"
#include "imaging/evaluation.hpp"
#include "imaging/file_target.hpp"
#include "imaging/jpeg/recode.hpp"
#include "imaging/kept/metadata.hpp"
#include "imaging/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

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

struct FreeBlob {
    void operator()(VipsBlob* blob) const { vips_area_unref(VIPS_AREA(blob)); }
};
using Blob = std::unique_ptr<VipsBlob, FreeBlob>;

std::span<const std::uint8_t> bytes_of(const Blob& blob) {
    std::size_t size = 0;
    const auto* data = static_cast<const std::uint8_t*>(vips_blob_get(blob.get(), &size));
    return {data, size};
}

// Through an intermediate at full quality, whose coefficients are then quantised with care.
void save_small_jpeg(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    const auto subsample = encoding.quality >= 90 ? VIPS_FOREIGN_SUBSAMPLE_OFF : VIPS_FOREIGN_SUBSAMPLE_ON;
    const Blob fine(
        image.jpegsave_buffer(VImage::option()->set("Q", 100)->set("subsample_mode", subsample)->set("strip", true)));
    JpegRecoding recoding;
    recoding.quality = encoding.quality;
    const auto bytes = recode_jpeg(bytes_of(fine), recoding);
    if (!bytes) throw vips::VError("jpeg: the coefficients can't be recoded");
    const std::span written(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
    file.insert(place_in_jpeg(written), jpeg_metadata(metadata));
    file.write(written);
}

void save_jpeg(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    // Coefficients take two bytes a sample, and all are held.
    constexpr double most_pixels_held = 100e6;
    if (encoding.smallest && image.width() * 1.0 * image.height() <= most_pixels_held) {
        save_small_jpeg(image, file, encoding, metadata);
        return;
    }
    file.insert(place_in_jpeg({}), jpeg_metadata(metadata));  // libvips writes no JFIF
    image.jpegsave_target(
        file.as_vips_target(),
        VImage::option()->set("strip", true)->set("Q", encoding.quality)->set("optimize_coding", true));
}

void save_png(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    file.insert(end_of_png_header, png_metadata(metadata));
    if (can_encode_png(image)) {
        encode_png(image, file, encoding);
        return;
    }
    image.pngsave_target(file.as_vips_target(), VImage::option()->set("compression", 6)->set("strip", true));
}

void save_jxl(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    const Blob blob(image.jxlsave_buffer(VImage::option()
                                             ->set("Q", encoding.quality)
                                             ->set("lossless", encoding.lossless)
                                             ->set("effort", encoding.effort)));
    jxl_with(bytes_of(blob), metadata).write_to([&](std::span<const std::uint8_t> piece) { return file.write(piece); });
}

void save_as(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    switch (encoding.format) {
        case ImageFormat::jpeg: return save_jpeg(image, file, encoding, metadata);
        case ImageFormat::png: return save_png(image, file, encoding, metadata);
        case ImageFormat::avif: return encode_avif(image, file, encoding, metadata);
        case ImageFormat::webp: return encode_webp(image, file, encoding, metadata);
        case ImageFormat::jxl: return save_jxl(image, file, encoding, metadata);
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
        const Metadata metadata = metadata_for(unwrap(image), encoding);
        const VImage pixels = without_metadata(unwrap(image), !metadata.profile.empty());
        const Evaluation evaluation(pixels, context.progress, context.cancelled);
        save_as(pixels, *file, encoding, metadata);
        if (rows_have_failed()) throw vips::VError();
        return true;
    });
    if (file->failure()) return *file->failure();
    if (!saved) return saved.error();
    return file->size();
}

}  // namespace tessera::imaging
