// What a run makes, as far as it is known beforehand. The engine that runs it is not believed: the host holds what it
// gets against this, and tells users what stands here.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/image_format.hpp"
#include "core/tileset.hpp"

namespace tessera::operations {

struct PlannedPicture {
    std::vector<ImageFormat> formats;  // one of these
    std::int64_t width = 0;            // as displayed
    std::int64_t height = 0;
    bool may_lie_turned = false;  // a source's own bytes, with its EXIF orientation, are a good result
};

struct PlannedTileset {
    TilesetGeometry geometry;
    std::optional<std::int64_t> version_tiles;  // of a delta: what the version has in all
    boost::json::object options;                // kept with the version for patches to come
};

// With neither, what comes back is words: metadata, and no file.
struct ProductPlan {
    std::optional<PlannedPicture> picture;  // the primary artifact; where there is none, the tileset's archive is
    std::optional<PlannedTileset> tileset;
};

}  // namespace tessera::operations
