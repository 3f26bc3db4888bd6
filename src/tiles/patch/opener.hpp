// Opens tiles of a tileset for change, from the layer on top or from those below it: pixels that a lossy format must
// encode again, though nobody changed them, come from the layer that made them.
#pragma once

#include <vector>

#include "tiles/patch/canvas.hpp"
#include "tiles/patch/patcher.hpp"

namespace tessera::tiles {

using CanvasPtr = std::shared_ptr<PatchCanvas>;

// What went wrong with an archive, as the job's error.
JobError broken(const Error& error);

// Safe to use from many threads.
class PatchOpener {
  public:
    PatchOpener(const Layers& layers, const PyramidShape& shape, const imaging::TileEncoding& encoding)
        : layers_(layers), shape_(shape), encoding_(encoding) {}

    // The tile as it is now, with the dirty cells ready to be painted. `hidden` is what will be painted over.
    [[nodiscard]] JobResult<CanvasPtr> open(TileCoord tile, const DirtyCells& dirty,
                                            const std::vector<PixelRect>& hidden) const;

  private:
    [[nodiscard]] PixelSet encoded_again(const DirtyCells& dirty, const std::vector<PixelRect>& hidden) const;
    [[nodiscard]] std::vector<PixelRect> areas_in(TileCoord tile, const Archive& delta) const;

    const Layers& layers_;
    const PyramidShape& shape_;
    imaging::TileEncoding encoding_;
};

}  // namespace tessera::tiles
