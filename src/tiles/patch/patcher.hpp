// Patches a tileset: the tiles that a patch touches, and those above them, are changed and written to a delta archive.
// The cost is what is touched, not what the tileset holds.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "core/colour.hpp"
#include "core/job.hpp"
#include "imaging/pixels/raster_store.hpp"
#include "tiles/archive/archive.hpp"
#include "tiles/archive/layers.hpp"
#include "tiles/archive/writer.hpp"
#include "tiles/pyramid/pyramid.hpp"

namespace tessera::tiles {

// Patches lie over what is there and over earlier ones, with their transparency.
struct Patch {
    PixelRect area;                                 // in the full-size picture, and inside it
    std::variant<Colour, imaging::Raster> filling;  // a raster is as large as the area
};

// Tiles that come out as they were are left out of the delta, but for one: an archive can't be empty.
JobResult<void> patch_tileset(const Layers& layers, const PyramidShape& shape, std::span<const Patch> patches,
                              const imaging::RasterStore& rasters, const PyramidOptions& options, ArchiveWriter& delta);

}  // namespace tessera::tiles
