// What a run makes, as far as it is known beforehand. The engine that runs it is not believed: the host holds what it
// gets against this, and tells users what stands here.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/image_format.hpp"
#include "core/tileset.hpp"

namespace tessera::operations {

// An artifact's kind, of the first or only one.
inline constexpr std::string_view primary_kind = "primary";

struct PlannedPicture {
    std::vector<ImageFormat> formats;  // one of these
    std::int64_t width = 0;            // as displayed
    std::int64_t height = 0;
    bool may_lie_turned = false;  // a source's own bytes, with its EXIF orientation, are a good result
    // Where the content decides the size: any is good that is within these, and width and height say nothing.
    struct Bounds {
        std::int64_t edge = 0;
        std::int64_t pixels = 0;
    };
    std::optional<Bounds> any_size_within{};
    std::string kind{primary_kind};
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
    std::vector<PlannedPicture> further{};  // artifacts after the primary, in order; for a job without a tileset
};

}  // namespace tessera::operations
