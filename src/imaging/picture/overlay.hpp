// One picture over another, such as a watermark.
#pragma once

#include "core/job.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// `over` lies on `image` with its top left at `at`, and may reach beyond it. Both are eight-bit sRGB or grey. The
// result is as transparent as the two together, and in memory where `over` is.
JobResult<Image> overlaid(const Image& image, const Image& over, Offset at, double opacity);

}  // namespace tessera::imaging
