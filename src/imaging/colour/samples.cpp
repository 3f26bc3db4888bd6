#include "imaging/colour/samples.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

VImage sixteen_bits(const VImage& image, double factor) {
    const auto meaning = image.bands() <= 2 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
    return image.linear(factor, 0.5).cast(VIPS_FORMAT_USHORT).copy(VImage::option()->set("interpretation", meaning));
}

}  // namespace

VImage whole_range_of_jxl(const VImage& image) {
    return vips_band_format_isfloat(image.format()) ? sixteen_bits(image, 65535) : image;
}

VImage whole_range_of_heif(const VImage& image) {
    if (image.format() != VIPS_FORMAT_USHORT || image.get_typeof("heif-bitdepth") == 0) return image;
    const int bits = image.get_int("heif-bitdepth");
    if (bits <= 8 || bits >= 16) return image;
    const int most = ((1 << bits) - 1) << (16 - bits);
    return sixteen_bits(image, 65535.0 / most);
}

}  // namespace tessera::imaging
