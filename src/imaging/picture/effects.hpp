// What may be done to a picture once it has its size. Each takes eight-bit sRGB or grey, and brings it into memory.
#pragma once

#include "core/job.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// Gaussian, with this standard deviation in pixels; transparent pixels do not bleed into their neighbours.
JobResult<Image> blurred(const Image& image, double sigma);

// By an unsharp mask of this radius on the lightness; flat parts stay as they are.
JobResult<Image> sharpened(const Image& image, double sigma);

}  // namespace tessera::imaging
