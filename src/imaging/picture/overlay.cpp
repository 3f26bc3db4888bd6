#include "imaging/picture/overlay.hpp"

#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

VImage with_alpha(const VImage& image) {
    VImage pixels = image;
    return pixels.has_alpha() ? pixels : pixels.bandjoin_const({255.0});
}

VImage in_colour(const VImage& image) {
    VImage pixels = image;
    return pixels.bands() <= 2 ? pixels.colourspace(VIPS_INTERPRETATION_sRGB) : pixels;
}

VImage fainter(const VImage& image, double opacity) {
    VImage pixels = image;
    if (opacity >= 1) return pixels;
    const int colours = pixels.bands() - 1;
    const VImage alpha = pixels.extract_band(colours).linear(opacity, 0, VImage::option()->set("uchar", true));
    return pixels.extract_band(0, VImage::option()->set("n", colours)).bandjoin(alpha);
}

}  // namespace

JobResult<Image> overlaid(const Image& image, const Image& over, Offset at, double opacity) {
    return guarded([&] {
        VImage below = unwrap(image);
        VImage above = unwrap(over);
        const bool was_opaque = !below.has_alpha();
        if (below.bands() > 2 || above.bands() > 2) {
            below = in_colour(below);
            above = in_colour(above);
        }
        above = fainter(with_alpha(above), opacity).copy_memory();
        const VipsInterpretation meaning = below.interpretation();
        VImage both = with_alpha(below).composite2(above, VIPS_BLEND_MODE_OVER,
                                                   VImage::option()
                                                       ->set("x", static_cast<int>(at.left))
                                                       ->set("y", static_cast<int>(at.top))
                                                       ->set("compositing_space", meaning));
        both = both.cast(VIPS_FORMAT_UCHAR);
        if (was_opaque) both = both.extract_band(0, VImage::option()->set("n", both.bands() - 1));
        return wrap(both.copy(VImage::option()->set("interpretation", meaning)));
    });
}

}  // namespace tessera::imaging
