// Inside imaging only: a picture from a file, by the reader for its format.
#pragma once

#include <vips/vips8>

#include "core/image_format.hpp"
#include "imaging/pixels/box_shrink.hpp"

namespace tessera::imaging {

// How much smaller the decoder is asked to make the picture: 1, or more.
struct Reduction {
    int jpeg_shrink = 1;
    double webp_scale = 1;
    BoxFactors boxes;  // of PNG and WebP
};

// Reads the header; pixels follow when they are asked for. The descriptor is borrowed for as long as the picture lives.
// Throws VError.
vips::VImage load(int fd, ImageFormat format, const Reduction& reduction);

// The same for somebody who will not ask for pixels.
vips::VImage load_header(int fd, ImageFormat format);

}  // namespace tessera::imaging
