// Halving of rows by the mean of each 2×2 pixels: how one zoom of a pyramid is made from the next.
#pragma once

#include <cstdint>

#include "imaging/tile_image.hpp"

namespace tessera::imaging {

// Halves rows [0, rows) of `from`, of which `width` pixels count, into `to` from its row `to_row` on. Odd edges repeat
// their last row and column. Means are rounded half up; colours with alpha are weighted by it, so that what can't be
// seen does not tint what can. `to_row` must be even for layouts with halved planes.
void halve(const ImageBuffer& from, std::int64_t width, std::int64_t rows, ImageBuffer& to, std::int64_t to_row);

}  // namespace tessera::imaging
