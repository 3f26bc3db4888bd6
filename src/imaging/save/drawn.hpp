// Drawings and screenshots, which are best encoded otherwise than photographs.
#pragma once

#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// Whether neighbours are mostly equal. Of a picture in memory; of a tall one, rows are sampled.
bool looks_drawn(const Image& image);

}  // namespace tessera::imaging
