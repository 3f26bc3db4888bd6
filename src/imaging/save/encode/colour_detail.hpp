// Inside imaging only: what a picture loses when its colour is stored at half resolution.
#pragma once

#include "imaging/save/encode/texture.hpp"

namespace tessera::imaging {

// The mean difference, in steps of eight bits, between the differences of colour of a pixel and their mean over two by
// two pixels: 0 for grey, 0.5 to 1 for most photographs, more for saturated edges and coloured texture. Of large
// pictures, rows are sampled.
double colour_detail_of(const PixelRows& rows);
// Whether finer steps can hardly buy back what is lost.
bool halving_shows(const PixelRows& rows);

}  // namespace tessera::imaging
