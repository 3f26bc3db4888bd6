#include "imaging/save/recompress.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/jpeg/recode.hpp"
#include "codecs/strip/strip.hpp"
#include "imaging/colour/srgb_profile.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "imaging/save/evaluation.hpp"
#include "imaging/save/file_target.hpp"
#include "imaging/save/kept/metadata.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

JobError unreadable(const Error& error) {
    return {JobErrorCode::storage_unavailable, "files could not be read or written", error.detail};
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// sRGB profiles are small: one that is spread over several segments is another.
bool has_srgb_profile(std::span<const std::uint8_t> jpeg) {
    constexpr std::string_view mark("ICC_PROFILE\0\1\1", 14);
    const std::string_view head(reinterpret_cast<const char*>(jpeg.data()), std::min<std::size_t>(jpeg.size(), 262144));
    const auto at = head.find(mark);
    return at != std::string_view::npos && describes_srgb(bytes_of(head.substr(at + mark.size())));
}

// Block by block, in sRGB.
SmallPicture small_picture_of(const codecs::JpegMeans& means) {
    const codecs::JpegMeans::Plane& first = means.planes.front();
    const bool is_grey = means.planes.size() < 3;
    const int bands = is_grey ? 1 : 3;
    SmallSums sums({first.width, first.height}, bands);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(first.width) * static_cast<std::size_t>(bands));
    const auto value = [&](std::size_t plane, int x, int y) -> int {
        const codecs::JpegMeans::Plane& of = means.planes[plane];
        const auto column = static_cast<std::size_t>(x * of.width / first.width);
        const auto line = static_cast<std::size_t>(y * of.height / first.height);
        return of.values[line * static_cast<std::size_t>(of.width) + column];
    };
    for (int y = 0; y < first.height; ++y) {
        std::uint8_t* out = row.data();
        for (int x = 0; x < first.width; ++x) {
            const int luma = value(0, x, y);
            if (is_grey) {
                *out++ = static_cast<std::uint8_t>(luma);
                continue;
            }
            std::array<double, 3> colour{static_cast<double>(luma), static_cast<double>(value(1, x, y)),
                                         static_cast<double>(value(2, x, y))};
            if (!means.is_rgb) {
                const double blue = colour[1] - 128;
                const double red = colour[2] - 128;
                colour = {luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue};
            }
            for (const double part : colour) *out++ = static_cast<std::uint8_t>(std::clamp(part, 0.0, 255.0) + 0.5);
        }
        sums.add(y, row.data());
    }
    return sums.picture();
}

// A JPEG that was saved at about this quality gains nothing from being quantised again, and loses likeness.
constexpr int quality_margin = 3;
// What a lossy second generation must save over the lossless rewriting to be worth it.
constexpr double worthwhile = 0.95;

}  // namespace

JobResult<std::optional<std::int64_t>> save_own_bytes(const SourceFile& source, bool keep_metadata,
                                                      const std::filesystem::path& path, const SaveContext& context) {
    const auto mapped = codecs::MappedFile::open(source.fd);
    if (!mapped) return unreadable(mapped.error());
    std::optional<codecs::Pieces> pieces;
    if (keep_metadata) {
        pieces.emplace();
        pieces->keep(mapped->bytes());
    } else {
        pieces = codecs::strip(source.format, mapped->bytes(), source.orientation);
    }
    if (!pieces) return std::optional<std::int64_t>();
    auto file = FileTarget::create(path, context.max_bytes);
    if (!file) return std::move(file).error();
    pieces->write_to([&](std::span<const std::uint8_t> piece) { return file->write(piece); });
    if (file->failure()) return *file->failure();
    return std::optional<std::int64_t>(file->size());
}

JobResult<std::optional<RecodedJpeg>> save_recoded_jpeg(const SourceFile& source, const Encoding& encoding,
                                                        const std::filesystem::path& path, const SaveContext& context) {
    const auto mapped = codecs::MappedFile::open(source.fd);
    if (!mapped) return unreadable(mapped.error());
    const auto facts = codecs::read_jpeg_facts(mapped->bytes());
    if (!facts || facts->components > 3) return std::optional<RecodedJpeg>();
    const bool finer = facts->quality > encoding.quality + quality_margin;
    const bool halve_colour = facts->components == 3 && !facts->halved_colour && !has_full_colour_as_jpeg(encoding);
    if (finer && halve_colour) return std::optional<RecodedJpeg>();

    codecs::JpegRecoding recoding;
    recoding.keep_metadata = encoding.keep_metadata;
    recoding.keep_profile = !has_srgb_profile(mapped->bytes());
    recoding.orientation = source.orientation;
    codecs::JpegMeans means;
    recoding.means = &means;
    constexpr double pace = 3e6;  // bytes of a file that one core does in a second
    const double passes = finer ? 2 : 1;
    const Progress progress(context.progress, {.rest = passes * static_cast<double>(mapped->bytes().size()) / pace});
    auto best = codecs::recode_jpeg(mapped->bytes(), recoding);
    if (!best) return std::optional<RecodedJpeg>();
    bool lossless = true;
    recoding.means = nullptr;
    if (finer) {
        recoding.quality = encoding.quality;
        auto smaller = codecs::recode_jpeg(mapped->bytes(), recoding);
        if (smaller && static_cast<double>(smaller->size()) < worthwhile * static_cast<double>(best->size())) {
            best = std::move(smaller);
            lossless = false;
        }
    }
    auto file = FileTarget::create(path, context.max_bytes);
    if (!file) return std::move(file).error();
    if (!file->write(bytes_of(*best))) return *file->failure();
    return std::optional<RecodedJpeg>({file->size(), lossless, facts->halved_colour, small_picture_of(means)});
}

JobResult<Image> in_memory(const Image& image, const SaveContext& context) {
    return guarded([&] {
        const VImage pixels = unwrap(image);
        Progress progress(context.progress, {.pixels = context.pixels_expected_s});
        const Evaluation evaluation(pixels, progress, context.cancelled);
        const VImage memory = pixels.copy_memory();
        if (rows_have_failed()) throw vips::VError();
        return wrap(memory);
    });
}

JobResult<Image> with_few_colours(const Image& image, int quality, const Report& report) {
    // Full diffusion of errors makes noise that costs both bytes and likeness; less still keeps gradients from banding.
    constexpr double diffusion = 0.3;
    constexpr double pace = 1.5;  // megapixels that one core does in a second
    return guarded([&] {
        const double megapixels = static_cast<double>(image.width()) * static_cast<double>(image.height()) * 1e-6;
        const Progress progress(report, {.rest = megapixels / pace});
        const VImage pixels = unwrap(image);
        // Where errors are seen through transparency, libimagequant's own scale is about right.
        const int shift = (100 - quality) / (pixels.has_alpha() ? 5 : 2);
        VipsBlob* blob = pixels.pngsave_buffer(VImage::option()
                                                   ->set("palette", true)
                                                   ->set("Q", quality + shift)
                                                   ->set("dither", diffusion)
                                                   ->set("strip", true)
                                                   ->set("compression", 1));
        const VImage loaded = VImage::pngload_buffer(blob);
        VImage few = loaded.copy_memory();
        vips_area_unref(VIPS_AREA(blob));
        copy_metadata(pixels, few);
        return wrap(few);
    });
}

bool has_srgb_profile(const Image& image) {
    if (!image.has_profile()) return false;
    std::size_t size = 0;
    const VImage pixels = unwrap(image);
    const auto* profile = static_cast<const std::uint8_t*>(pixels.get_blob(VIPS_META_ICC_NAME, &size));
    return describes_srgb({profile, size});
}

}  // namespace tessera::imaging
