#include "imaging/save/save.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/jpeg/recode.hpp"
#include "core/owned.hpp"
#include "imaging/pixels/row_image.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "imaging/save/encode/avif.hpp"
#include "imaging/save/encode/jpeg.hpp"
#include "imaging/save/encode/png.hpp"
#include "imaging/save/encode/webp.hpp"
#include "imaging/save/evaluation.hpp"
#include "imaging/save/file_target.hpp"
#include "imaging/save/kept/metadata.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

// libvips 8.14 strips some metadata from some formats; this is what leaves none.
VImage without_metadata(const VImage& image, bool keep_profile) {
    VImage bare = copy_of(image);
    gchar** fields = vips_image_get_fields(bare.get_image());
    for (gchar** field = fields; *field != nullptr; ++field) {
        const std::string_view name(*field);
        const bool kept = name == VIPS_META_SEQUENTIAL || (keep_profile && name == VIPS_META_ICC_NAME);
        if (!kept) vips_image_remove(bare.get_image(), *field);
    }
    g_strfreev(fields);
    return bare;
}

using Blob = Owned<VipsBlob, [](VipsBlob* blob) { vips_area_unref(VIPS_AREA(blob)); }>;

std::span<const std::uint8_t> bytes_of(const Blob& blob) {
    std::size_t size = 0;
    const auto* data = static_cast<const std::uint8_t*>(vips_blob_get(blob.get(), &size));
    return {data, size};
}

// Through an intermediate at full quality, whose coefficients are then quantised with care.
void save_small_jpeg(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    const std::vector<std::uint8_t> fine = encode_jpeg(image, {100, has_full_colour_as_jpeg(encoding)});
    codecs::JpegRecoding recoding;
    recoding.quality = encoding.quality;
    const auto bytes = codecs::recode_jpeg(fine, recoding);
    if (!bytes) throw vips::VError("jpeg: the coefficients can't be recoded");
    const std::span written(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
    file.insert(place_in_jpeg(written), jpeg_metadata(metadata));
    file.write(written);
}

// Coefficients take two bytes a sample, and all are held.
bool is_recoded(const Encoding& encoding, double pixels) {
    constexpr double most_pixels_held = 100e6;
    return encoding.smallest && pixels <= most_pixels_held;
}

void save_jpeg(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    if (is_recoded(encoding, image.width() * 1.0 * image.height())) {
        save_small_jpeg(image, file, encoding, metadata);
        return;
    }
    file.insert(place_in_jpeg({}), jpeg_metadata(metadata));
    file.write(encode_jpeg(image, {whole_quality(encoding), has_full_colour_as_jpeg(encoding), true}));
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
                                             ->set("Q", whole_quality(encoding))
                                             ->set("lossless", encoding.lossless)
                                             ->set("effort", encoding.effort)));
    jxl_with(bytes_of(blob), metadata).write_to([&](std::span<const std::uint8_t> piece) { return file.write(piece); });
}

void save_as(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata,
             Progress& progress) {
    switch (encoding.format) {
        case ImageFormat::jpeg: return save_jpeg(image, file, encoding, metadata);
        case ImageFormat::png: return save_png(image, file, encoding, metadata);
        case ImageFormat::avif: return encode_avif(image, file, encoding, metadata);
        case ImageFormat::webp: return encode_webp(image, file, encoding, metadata, progress);
        case ImageFormat::jxl: return save_jxl(image, file, encoding, metadata);
        case ImageFormat::gif:
        case ImageFormat::heif: break;
    }
    throw vips::VError("no encoder for this format");
}

// Megapixels that one core encodes in a second, by effort from 1 to 9: measured from 3 to 7 on a blurred noise, guessed
// beyond.
constexpr double jxl_paces[] = {20, 20, 10, 6, 4.5, 3.2, 3, 0.4, 0.05};
constexpr double jxl_lossless_paces[] = {10, 6, 4, 1, 0.38, 0.3, 0.23, 0.1, 0.03};
constexpr double recoded_jpeg_pace = 6;

double jxl_seconds(const Encoding& encoding, double megapixels) {
    const auto effort = static_cast<std::size_t>(std::clamp(encoding.effort, 1, 9) - 1);
    return megapixels / (encoding.lossless ? jxl_lossless_paces : jxl_paces)[effort];
}

}  // namespace

int whole_quality(const Encoding& encoding) {
    return static_cast<int>(std::lround(encoding.quality));
}

bool has_full_colour_as_jpeg(const Encoding& encoding) {
    constexpr double from_quality = 90;
    return encoding.full_colour.value_or(encoding.quality >= from_quality);
}

double finest_step(const Encoding& encoding) {
    if (encoding.format == ImageFormat::webp) return 0.5;
    if (encoding.format == ImageFormat::jpeg) return encoding.smallest ? 0.5 : 1;
    if (encoding.format == ImageFormat::avif) return avif_step(encoding);
    return 1;
}

int ways_of(const Encoding& encoding) {
    return encoding.format == ImageFormat::avif ? avif_ways(encoding) : 1;
}

bool has_way_of_screens(const Encoding& encoding) {
    return encoding.format == ImageFormat::avif && encoding.smallest && !encoding.lossless;
}

double expected_seconds(const Encoding& encoding, std::int64_t width, std::int64_t height) {
    const double megapixels = static_cast<double>(width) * static_cast<double>(height) * 1e-6;
    switch (encoding.format) {
        case ImageFormat::jpeg: return is_recoded(encoding, megapixels * 1e6) ? megapixels / recoded_jpeg_pace : 0;
        case ImageFormat::png: return png_seconds(encoding, megapixels);
        case ImageFormat::avif: return avif_seconds(encoding, megapixels);
        case ImageFormat::webp: return webp_seconds(encoding, megapixels);
        case ImageFormat::jxl: return jxl_seconds(encoding, megapixels);
        case ImageFormat::gif:
        case ImageFormat::heif: break;
    }
    return 0;
}

JobResult<std::int64_t> save(const Image& image, const std::filesystem::path& path, const Encoding& encoding,
                             const SaveContext& context) {
    auto file = FileTarget::create(path, context.max_bytes);
    if (!file) return std::move(file).error();
    const auto saved = guarded([&] {
        const Metadata metadata = metadata_for(unwrap(image), encoding);
        const VImage pixels = without_metadata(unwrap(image), !metadata.profile.empty());
        Progress progress(context.progress, {.pixels = context.pixels_expected_s,
                                             .rest = expected_seconds(encoding, image.width(), image.height())});
        const Evaluation evaluation(pixels, progress, context.cancelled);
        save_as(pixels, *file, encoding, metadata, progress);
        if (rows_have_failed()) throw vips::VError();
        return true;
    });
    if (file->failure()) return *file->failure();
    if (!saved) return saved.error();
    return file->size();
}

}  // namespace tessera::imaging
