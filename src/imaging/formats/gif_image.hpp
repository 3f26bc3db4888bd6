// Inside imaging only: the first frame of a GIF, by a reader of our own. libvips' takes memory for four times the
// canvas whatever the file has to fill it with, and looks at all frames.
#pragma once

#include <vips/vips8>

namespace tessera::imaging {

// The first frame on its transparent canvas. Pixels are decoded when they are asked for, row by row where the frame is
// not interlaced. Throws VError.
vips::VImage load_gif(int fd);

}  // namespace tessera::imaging
