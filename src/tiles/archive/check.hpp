// Looks at all of an archive's directories before it is published: whoever made it may have been taken over, and what
// readers would meet later is met here first.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "tiles/archive/archive.hpp"

namespace tessera::tiles {

// What the archive was to be.
struct ArchivePlan {
    TilesetGeometry geometry;
    bool delta = false;
};

struct ArchiveContents {
    std::uint64_t tiles = 0;
    std::uint64_t stored = 0;  // different ones
};

// Every tile lies in the picture, a base has all of them, what it says of itself is so, and it is what it was to be.
Result<ArchiveContents> check_archive(const Archive& archive, const ArchivePlan& plan);

}  // namespace tessera::tiles
