// Borders of one colour around what a picture shows.
#pragma once

#include <functional>

#include "core/job.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/pixels/turn.hpp"

namespace tessera::imaging {

// The smallest part that holds every pixel that is farther than `tolerance` (0 to 255, in any channel; colours weighted
// by their opacity) from the one at the top left. All of the picture where there is none. Reads the picture once, from
// top to bottom.
JobResult<Area> without_borders(const Image& image, int tolerance, const std::function<bool()>& cancelled);

}  // namespace tessera::imaging
