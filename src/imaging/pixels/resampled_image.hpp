// Inside imaging only: our own resampler as a step of a libvips pipeline.
#pragma once

#include <optional>
#include <vips/vips8>

#include "imaging/pixels/resampler.hpp"

namespace tessera::imaging {

// Nothing for what libvips' resampler has to do: pictures of more than four bands. Throws VError.
std::optional<vips::VImage> resampled(const vips::VImage& image, const Part& part, Size size);

}  // namespace tessera::imaging
