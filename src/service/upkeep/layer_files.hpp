// The archives of a tileset's version as local files, to be folded.
#pragma once

#include <span>
#include <vector>

#include "core/file.hpp"
#include "core/tileset.hpp"
#include "tiles/archive/layers.hpp"

namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

struct LayerFiles {
    std::vector<UniqueFd> files;
    tiles::Layers topmost_first;
};

// `layers` bottom first, as a version has them. What lies in a remote store is fetched.
Result<LayerFiles> open_layer_files(blobs::BlobStore& blobs, std::span<const TilesetLayer> layers);

}  // namespace tessera::service
