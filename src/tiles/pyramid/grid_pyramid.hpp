// Renders the pyramid of a grid scene at a cost that follows the number of different tiles, not of pixels: tiles that
// look the same are told apart by description and made once, and a tile of a lower zoom is known by the four it shows.
#pragma once

#include "tiles/archive/writer.hpp"
#include "tiles/pyramid/grid_scene.hpp"
#include "tiles/pyramid/pyramid.hpp"

namespace tessera::tiles {

// Edge tiles are padded with transparency, or with the scene's background for JPEG.
JobResult<void> render_grid(const GridScene& scene, const PyramidOptions& options, ArchiveWriter& archive);

}  // namespace tessera::tiles
