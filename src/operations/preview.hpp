// A small picture of a large one, as a list of assets shows it: what an engine is asked for it.
#pragma once

#include "operations/run.hpp"

namespace tessera::operations {

// WebP, within `edge` by `edge` pixels and never larger than the source.
RunRequest preview_request(const InputImage& image, int edge);

}  // namespace tessera::operations
