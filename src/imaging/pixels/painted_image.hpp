// A picture whose pixels are painted when they are asked for, part by part and on many threads.
#pragma once

#include <functional>

#include "core/job.hpp"
#include "core/pixels.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// Fills `out` (rgba) with the part of the picture that starts at (x, y).
using Painter = std::function<JobResult<void>(std::int64_t x, std::int64_t y, ImageBuffer& out)>;

// Without alpha, only the colours of what is painted are used.
JobResult<Image> painted(Size size, bool has_alpha, Painter painter);

}  // namespace tessera::imaging
