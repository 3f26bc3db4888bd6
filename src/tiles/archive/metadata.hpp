// What archives of ours say of themselves in their metadata: what the header can't, and once more what it can, so that
// a header with a flipped bit does not pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "tiles/archive/pmtiles.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::tiles {

struct OwnMetadata {
    struct Checksums {
        std::uint64_t offset = 0;  // in the tile data
        std::uint64_t count = 0;
        std::uint64_t per_leaf = 0;
    };
    TilesetGeometry geometry;
    std::vector<PixelRect> patched;  // of a delta
    bool delta = false;
    bool recipes = false;
    Checksums checksums;
};

// Nothing for an archive that others wrote.
Result<std::optional<OwnMetadata>> read_own_metadata(std::string_view json, const pmtiles::Header& header);

}  // namespace tessera::tiles
