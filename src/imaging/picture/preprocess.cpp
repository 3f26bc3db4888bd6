#include "imaging/picture/preprocess.hpp"

#include "imaging/picture/transform.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr std::int64_t measured_edge = 1024;  // enough pixels to know a hundredth by
constexpr double tail = 1;                    // percent

// Applies a step to the colours and leaves the alpha as it was.
template <typename Step>
VImage on_colours(const VImage& image, Step step) {
    VImage pixels = image;
    if (!pixels.has_alpha()) return step(pixels);
    const int bands = pixels.bands();
    const VImage alpha = pixels.extract_band(bands - 1);
    const VImage colours = pixels.extract_band(0, VImage::option()->set("n", bands - 1));
    return step(colours).bandjoin(alpha);
}

}  // namespace

JobResult<ContrastLevels> measure_levels(const Source& source) {
    const auto opened = open(source);
    if (!opened) return opened.error();
    const auto reduced = imaging::reduced(*opened, source, {measured_edge, measured_edge});
    if (!reduced) return reduced.error();
    const auto small = to_srgb(reduced->image);
    if (!small) return small.error();
    return guarded([&] {
        VImage pixels = unwrap(*small);
        if (pixels.has_alpha()) pixels = pixels.flatten();
        const VImage lightness = pixels.colourspace(VIPS_INTERPRETATION_B_W).extract_band(0);
        // One pass over the pixels, which can be read once only; both percentiles come from the histogram.
        const VImage histogram = lightness.hist_find().hist_cum().copy_memory();
        const double total = histogram.getpoint(histogram.width() - 1, 0)[0];
        ContrastLevels levels{0, 255};
        bool found_low = false;
        for (int value = 0; value < histogram.width(); ++value) {
            const double share = 100 * histogram.getpoint(value, 0)[0] / total;
            if (!found_low && share >= tail) {
                levels.low = value;
                found_low = true;
            }
            if (share >= 100 - tail) {
                levels.high = value;
                break;
            }
        }
        return levels;
    });
}

JobResult<Image> stretch(const Image& image, const ContrastLevels& levels) {
    if (levels.high <= levels.low) return image;  // one flat lightness has no contrast to stretch
    const double scale = 255 / (levels.high - levels.low);
    return guarded([&] {
        return wrap(on_colours(unwrap(image), [&](const VImage& colours) {
            return colours.linear(scale, -levels.low * scale, VImage::option()->set("uchar", true));
        }));
    });
}

JobResult<Image> sharpen(const Image& image) {
    return guarded([&] {
        return wrap(on_colours(unwrap(image), [](const VImage& colours) {
            const bool grey = colours.bands() == 1;
            return colours.sharpen().colourspace(grey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB);
        }));
    });
}

JobResult<Image> grayscale(const Image& image) {
    return guarded([&] { return wrap(unwrap(image).colourspace(VIPS_INTERPRETATION_B_W)); });
}

}  // namespace tessera::imaging
