// The archives of a tileset's version.
#pragma once

#include <memory>
#include <vector>

#include "tiles/archive.hpp"

namespace tessera::tiles {

using Layers = std::vector<std::shared_ptr<const Archive>>;  // topmost first

}  // namespace tessera::tiles
