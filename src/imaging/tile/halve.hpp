// Halving of rows by the mean of each 2×2 pixels: how one zoom of a pyramid is made from the next.
#pragma once

#include <cstdint>

#include "core/pixels.hpp"

namespace tessera::imaging {

// Halves `from` into `to` from (to_x, to_y) on. Odd edges repeat their last row and column. Means are rounded half up;
// colours with alpha are weighted by it, so that what can't be seen does not tint what can. For layouts with halved
// planes, to_x and to_y must be even.
void halve(const ImageView& from, ImageBuffer& to, std::int64_t to_x, std::int64_t to_y);

}  // namespace tessera::imaging
