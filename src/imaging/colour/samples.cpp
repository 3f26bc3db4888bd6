#include "imaging/colour/samples.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

VImage sixteen_bits(const VImage& image) {
    const auto meaning = image.bands() <= 2 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
    return image.linear(65535, 0.5).cast(VIPS_FORMAT_USHORT).copy(VImage::option()->set("interpretation", meaning));
}

}  // namespace

VImage whole_range_of_jxl(const VImage& image) {
    return vips_band_format_isfloat(image.format()) ? sixteen_bits(image) : image;
}

}  // namespace tessera::imaging
