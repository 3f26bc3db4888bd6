// What is done to pixels that were cut before they are encoded.
#pragma once

#include "core/picture_colours.hpp"
#include "core/pixels.hpp"

namespace tessera::imaging {

// Mirrored first, left to right, and then turned clockwise by 0, 90, 180 or 270 degrees. `from` has one plane.
ImageBuffer oriented(const ImageBuffer& from, bool mirrored, int turned);

// rgba in the smallest layout that holds what is left: gray, rgb, or rgba. Without `keep_alpha`, and in black and
// white, what shines through is white.
ImageBuffer reduced(const ImageBuffer& rgba, PictureColours colours, bool keep_alpha);

}  // namespace tessera::imaging
