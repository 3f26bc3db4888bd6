// Painting on tiles: rectangles of a colour or of pixels, laid over what is there with their transparency.
#pragma once

#include "core/colour.hpp"
#include "core/pixels.hpp"

namespace tessera::imaging {

// `over` laid on `under`.
Colour blend(Colour over, Colour under);

// Paints the part of the rectangle that is inside `on`, whose top left is at (0, 0). `on` is rgba or YCbCr planes;
// a halved colour sample takes its share of each pixel that it stands for.
void paint(ImageBuffer& on, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, Colour colour);

// Paints all of `pixels`, which are rgba, with their top left at (x, y).
void paint(ImageBuffer& on, std::int64_t x, std::int64_t y, const ImageView& pixels);

}  // namespace tessera::imaging
