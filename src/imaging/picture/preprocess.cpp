#include "imaging/picture/preprocess.hpp"

#include "imaging/picture/edge_colours.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr std::int64_t measured_edge = 1024;  // enough pixels to know a hundredth by
constexpr double tail = 1;                    // percent

constexpr double sharpening = 0.5;  // sigma of the mask

VImage colours_of(const VImage& image) {
    return image.extract_band(0, VImage::option()->set("n", image.bands() - 1));
}

VImage alpha_of(const VImage& image) {
    return image.extract_band(image.bands() - 1);
}

VImage stretched(const VImage& colours, const ContrastLevels& levels) {
    const double scale = 255 / (levels.high - levels.low);
    return colours.linear(scale, -levels.low * scale, VImage::option()->set("uchar", true));
}

VImage sharper(const VImage& colours) {
    const VipsInterpretation meaning = colours.bands() == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
    return colours.sharpen(VImage::option()->set("sigma", sharpening)).colourspace(meaning);
}

// How many pixels of each lightness are seen, or how much of them.
VImage lightness_histogram(const VImage& image) {
    const VImage grey = image.colourspace(VIPS_INTERPRETATION_B_W);
    const VImage lightness = grey.extract_band(0);
    return grey.has_alpha() ? alpha_of(grey).hist_find_indexed(lightness) : lightness.hist_find();
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
        // One pass over the pixels, which can be read once only; both percentiles come from the histogram.
        const VImage histogram = lightness_histogram(unwrap(*small)).hist_cum().copy_memory();
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
    return guarded([&] {
        const VImage pixels = unwrap(image);
        if (!pixels.has_alpha()) return wrap(stretched(pixels, levels));
        return wrap(stretched(colours_of(pixels), levels).bandjoin(alpha_of(pixels)));
    });
}

JobResult<Image> sharpen(const Image& image) {
    return guarded([&] {
        const VImage pixels = unwrap(image);
        if (!pixels.has_alpha()) return wrap(sharper(pixels));
        return wrap(sharper(colours_going_on(pixels, sharpening)).bandjoin(alpha_of(pixels)));
    });
}

JobResult<Image> grayscale(const Image& image) {
    return guarded([&] { return wrap(unwrap(image).colourspace(VIPS_INTERPRETATION_B_W)); });
}

}  // namespace tessera::imaging
