// Inside imaging only: samples that loaders give in ranges of their own, brought to all of eight or sixteen bits.
#pragma once

#include <vips/vips8>

namespace tessera::imaging {

// Of a JPEG XL: floating point from 0 to 1, which libvips takes for linear light whatever the profile says.
vips::VImage whole_range_of_jxl(const vips::VImage& image);

}  // namespace tessera::imaging
