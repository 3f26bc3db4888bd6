#include "imaging/picture/open.hpp"

#include <algorithm>
#include <string>

#include "codecs/jpeg/frame.hpp"
#include "imaging/picture/load.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

JobResult<void> check_pixels(const Image& image, const Source& source) {
    const std::int64_t pixels = image.width() * image.height();
    if (pixels <= source.max_pixels) return {};
    return JobError{JobErrorCode::source_too_large,
                    "the source image has " + std::to_string(pixels / 1'000'000) + " megapixels, more than the " +
                        std::to_string(source.max_pixels / 1'000'000) + " allowed",
                    ""};
}

// A baseline JPEG streams; a progressive one is held as coefficients until its last scan.
JobResult<void> check_progressive(const Source& source) {
    if (source.format != ImageFormat::jpeg) return {};
    const auto frame = codecs::read_jpeg_frame(source.fd);
    if (!frame || !frame->progressive || frame->coefficient_bytes <= source.max_progressive_bytes) return {};
    return JobError{JobErrorCode::source_too_large,
                    "the source is a progressive JPEG that needs " + std::to_string(frame->coefficient_bytes >> 20) +
                        " MiB to decode; a baseline JPEG of this size would be accepted",
                    ""};
}

// How much more than asked for a reducing decoder delivers. A JPEG's scaled transform averages well, a WebP's does too;
// what is left goes through the resampler, which needs some detail to work with.
constexpr double jpeg_reserve = 1.5;
constexpr double webp_reserve = 1.5;

// Colour of a WebP has half the resolution already: to reduce all by less than that would make it larger, and libwebp
// moves it then. The whole picture takes no longer.
constexpr double largest_webp_scale = 0.5;

// As much of the work is done by boxes as libvips' own resampler does so.
constexpr double box_reserve = 2;

int box_factor(std::int64_t edge, std::int64_t wanted) {
    const double factor = static_cast<double>(edge) / static_cast<double>(wanted) / box_reserve;
    return static_cast<int>(std::clamp(factor, 1.0, static_cast<double>(BoxShrink::most)));
}

Reduction choose_reduction(ImageFormat format, bool has_alpha, Size from, Size to) {
    const double factor = std::min(static_cast<double>(from.width) / static_cast<double>(to.width),
                                   static_cast<double>(from.height) / static_cast<double>(to.height));
    Reduction reduction;
    if (format == ImageFormat::png || (format == ImageFormat::webp && has_alpha)) {
        reduction.boxes = {box_factor(from.width, to.width), box_factor(from.height, to.height)};
    } else if (format == ImageFormat::jpeg) {
        for (const int shrink : {2, 4, 8}) {
            if (factor >= shrink * jpeg_reserve) reduction.jpeg_shrink = shrink;
        }
    } else if (format == ImageFormat::webp) {
        const double scale = webp_reserve / factor;
        if (scale <= largest_webp_scale) reduction.webp_scale = scale;
    }
    return reduction;
}

bool reduces(const Reduction& reduction) {
    return reduction.jpeg_shrink > 1 || reduction.webp_scale < 1 || reduction.boxes.any();
}

// Of one edge. WebP's decoder brings the whole of it to a size, all else counts steps of whole pixels.
double pixels_in_one(const Reduction& reduction, std::int64_t whole, std::int64_t reduced, int box) {
    if (reduction.webp_scale < 1) return static_cast<double>(whole) / static_cast<double>(reduced);
    return reduced == whole ? 1 : std::max(reduction.jpeg_shrink, box);
}

}  // namespace

JobResult<Image> open(const Source& source) {
    if (auto ok = check_progressive(source); !ok) return std::move(ok).error();
    auto image = guarded([&] { return wrap(load(source.fd, source.format, {})); });
    if (!image) return image;
    if (auto ok = check_pixels(*image, source); !ok) return std::move(ok).error();
    return image;
}

JobResult<ReducedImage> reduced(const Image& opened, const Source& source, Size size) {
    const Size whole{opened.width(), opened.height()};
    const Reduction reduction = choose_reduction(source.format, opened.has_alpha(), whole, size);
    if (!reduces(reduction)) return ReducedImage{opened};
    const auto image = guarded([&] { return wrap(load(source.fd, source.format, reduction)); });
    if (!image) return image.error();
    return ReducedImage{*image, pixels_in_one(reduction, whole.width, image->width(), reduction.boxes.across),
                        pixels_in_one(reduction, whole.height, image->height(), reduction.boxes.down)};
}

}  // namespace tessera::imaging
