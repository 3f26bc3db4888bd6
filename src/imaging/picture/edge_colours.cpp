#include "imaging/picture/edge_colours.hpp"

namespace tessera::imaging {

using vips::VImage;

VImage colours_going_on(const VImage& image, double sigma) {
    constexpr double weight_at_the_end = 0.01;  // three sigmas away; sharpening looks two away
    const VImage surroundings =
        image.premultiply()
            .gaussblur(sigma,
                       VImage::option()->set("min_ampl", weight_at_the_end)->set("precision", VIPS_PRECISION_FLOAT))
            .unpremultiply();
    const int colours = image.bands() - 1;
    const VImage shown = image.extract_band(colours) / 255;
    const VImage own = image.extract_band(0, VImage::option()->set("n", colours));
    const VImage others = surroundings.extract_band(0, VImage::option()->set("n", colours));
    return (own * shown + others * (1 - shown))
        .rint()
        .cast(image.format())
        .copy(VImage::option()->set("interpretation", own.interpretation()));
}

}  // namespace tessera::imaging
