// Drawings and screenshots, which are best encoded otherwise than photographs.
#pragma once

#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// Of a picture in memory: the share of pixels that are equal to the one before them, 0 to 1. Of a tall picture, rows
// are sampled.
double equal_neighbours(const Image& image);

// Whether more than half of them are.
bool looks_drawn(const Image& image);

}  // namespace tessera::imaging
