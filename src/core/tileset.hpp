// Tilesets: a pyramid of tiles that is published in immutable versions. A version is a stack of archives, the
// base first and then the deltas that patches wrote; a tile is found in the topmost layer that holds it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/image_format.hpp"
#include "core/uuid.hpp"

namespace tessera {

// 2^26 tiles of 256 pixels are more than any picture this service takes.
inline constexpr int max_zoom_level = 26;
// The last column, and the last row, of that zoom.
inline constexpr std::int64_t max_tile_index = (std::int64_t{1} << max_zoom_level) - 1;

struct TilesetLayer {
    std::string storage_key;
    std::int64_t byte_size = 0;
};

struct TilesetGeometry {
    ImageFormat format = ImageFormat::jpeg;
    int tile_size = 256;
    std::int64_t width = 0;  // of the full-size picture, in pixels
    std::int64_t height = 0;
    int min_zoom = 0;
    int max_zoom = 0;
};

struct TilesetVersion {
    std::int64_t version = 1;
    TilesetGeometry geometry;  // a rebuild may change it
    std::int64_t tile_count = 0;
    std::string options_json = "{}";   // quality, background, …: what a patch needs to encode alike
    std::vector<TilesetLayer> layers;  // bottom first
    Timestamp created_at;
};

struct Tileset {
    Uuid id;
    Uuid account_id;
    Timestamp created_at;
    std::optional<Timestamp> expires_at;  // moved on by every rebuild
    TilesetVersion current;
};

}  // namespace tessera
