#include "imaging/picture/effects.hpp"

#include "imaging/picture/edge_colours.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

VipsInterpretation meaning_of(const VImage& image) {
    return image.bands() <= 2 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
}

VImage sharper(const VImage& colours, double sigma) {
    return colours.sharpen(VImage::option()->set("sigma", sigma)).colourspace(meaning_of(colours));
}

}  // namespace

JobResult<Image> blurred(const Image& image, double sigma) {
    return guarded([&] {
        const VImage pixels = unwrap(image).copy_memory();
        if (!pixels.has_alpha()) return wrap(pixels.gaussblur(sigma));
        return wrap(pixels.premultiply()
                        .gaussblur(sigma)
                        .unpremultiply()
                        .rint()
                        .cast(pixels.format())
                        .copy(VImage::option()->set("interpretation", meaning_of(pixels))));
    });
}

JobResult<Image> sharpened(const Image& image, double sigma) {
    return guarded([&] {
        const VImage pixels = unwrap(image).copy_memory();
        if (!pixels.has_alpha()) return wrap(sharper(pixels, sigma));
        const VImage colours = colours_going_on(pixels, sigma).copy_memory();
        return wrap(sharper(colours, sigma).bandjoin(pixels.extract_band(pixels.bands() - 1)));
    });
}

}  // namespace tessera::imaging
