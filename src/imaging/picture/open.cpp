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

// For PNG, as much of the work is done by boxes as libvips' own resampler does so.
constexpr double png_reserve = 2;

int box_factor(std::int64_t edge, std::int64_t wanted) {
    const double factor = static_cast<double>(edge) / static_cast<double>(wanted) / png_reserve;
    return static_cast<int>(std::clamp(factor, 1.0, static_cast<double>(BoxShrink::most)));
}

Reduction choose_reduction(ImageFormat format, Size from, Size to) {
    const double factor = std::min(static_cast<double>(from.width) / static_cast<double>(to.width),
                                   static_cast<double>(from.height) / static_cast<double>(to.height));
    Reduction reduction;
    if (format == ImageFormat::png) {
        reduction.png_boxes = {box_factor(from.width, to.width), box_factor(from.height, to.height)};
    } else if (format == ImageFormat::jpeg) {
        for (const int shrink : {2, 4, 8}) {
            if (factor >= shrink * jpeg_reserve) reduction.jpeg_shrink = shrink;
        }
    } else if (format == ImageFormat::webp) {
        reduction.webp_scale = std::min(1.0, webp_reserve / factor);
    }
    return reduction;
}

bool reduces(const Reduction& reduction) {
    return reduction.jpeg_shrink > 1 || reduction.webp_scale < 1 || reduction.png_boxes.any();
}

// Of one edge. WebP's decoder brings the whole of it to a size, the others count steps of whole pixels.
double pixels_in_one(ImageFormat format, std::int64_t whole, std::int64_t reduced, int step) {
    if (format == ImageFormat::webp) return static_cast<double>(whole) / static_cast<double>(reduced);
    return reduced == whole ? 1 : step;
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
    const Reduction reduction = choose_reduction(source.format, whole, size);
    if (!reduces(reduction)) return ReducedImage{opened};
    const auto image = guarded([&] { return wrap(load(source.fd, source.format, reduction)); });
    if (!image) return image.error();
    const BoxFactors jpeg_steps{reduction.jpeg_shrink, reduction.jpeg_shrink};
    const BoxFactors& steps = source.format == ImageFormat::jpeg ? jpeg_steps : reduction.png_boxes;
    return ReducedImage{*image, pixels_in_one(source.format, whole.width, image->width(), steps.across),
                        pixels_in_one(source.format, whole.height, image->height(), steps.down)};
}

}  // namespace tessera::imaging
