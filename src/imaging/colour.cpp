// Conversion to sRGB.
#include "imaging/recompress.hpp"
#include "imaging/transform.hpp"
#include "imaging/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

bool is_cmyk(const VImage& image) {
    return image.interpretation() == VIPS_INTERPRETATION_CMYK;
}

// A profile only helps when it is for as many channels as the picture has; others are dropped, as browsers do.
VImage through_profile(const VImage& image) {
    return image.icc_transform("srgb", VImage::option()
                                           ->set("embedded", true)
                                           ->set("input_profile", is_cmyk(image) ? "cmyk" : "srgb")
                                           ->set("intent", VIPS_INTENT_RELATIVE)
                                           ->set("black_point_compensation", true)
                                           ->set("depth", 8));
}

VImage eight_bit(const VImage& image, bool keep_grey) {
    return image.colourspace(keep_grey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB);
}

}  // namespace

JobResult<Image> to_srgb(const Image& image) {
    return guarded([&] {
        const VImage pixels = unwrap(image);
        if ((image.has_profile() && !has_srgb_profile(image)) || is_cmyk(pixels)) {
            try {
                return wrap(eight_bit(through_profile(pixels), image.is_grey()));
            } catch (const vips::VError&) {
                vips_error_clear();  // the profile is unusable: take the numbers as they are
            }
        }
        return wrap(eight_bit(pixels, image.is_grey()));
    });
}

}  // namespace tessera::imaging
