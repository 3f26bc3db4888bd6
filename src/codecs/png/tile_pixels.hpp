// Finds the smallest PNG pixel type that holds a tile exactly: a palette, greyscale, or colour without alpha.
#pragma once

#include "codecs/png/pixels.hpp"
#include "core/pixels.hpp"

namespace tessera::codecs {

// How a tile of gray, rgb or rgba is best kept. `chosen.rows` stays empty where the tile's own rows will do. Cheap for
// photographs: it gives up where it sees too many colours.
void choose_png_pixels(const ImageView& tile, PngPixels& chosen);

}  // namespace tessera::codecs
