// Inside imaging only: WebP through libwebp itself. libvips takes memory for a picture before anybody asked for its
// pixels, and looks at every frame of an animation, at each for all that come before it.
#pragma once

#include <vips/vips8>

#include "imaging/pixels/box_shrink.hpp"

namespace tessera::imaging {

// The picture, or the first frame on its transparent canvas, about `scale` (at most 1) times as large where the decoder
// can do that, and of what it decodes a mean of boxes. Decoders count colours that are transparent like others, boxes
// do not. Pixels are decoded when they are asked for. Throws VError.
vips::VImage load_webp(int fd, double scale, BoxFactors boxes = {});

}  // namespace tessera::imaging
