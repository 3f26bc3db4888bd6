// The archives of a tileset's version, and a tile as they show it together. A delta may hold a tile as a recipe over
// the base's own: of a tile that was changed in one place, only that place is stored.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tiles/archive/archive.hpp"

namespace tessera::tiles {

using Layers = std::vector<std::shared_ptr<const Archive>>;  // topmost first; the last is the base

// What one of the layers has of a tile, with a recipe followed; nothing where it has none.
[[nodiscard]] Result<std::optional<Bytes>> read_tile_of(const Archive& layer, const Archive& base, TileCoord tile);

// The tile as the version shows it; nothing where it has none.
[[nodiscard]] Result<std::optional<Bytes>> read_tile(const Layers& layers, TileCoord tile);

[[nodiscard]] bool is_recipe(std::span<const std::uint8_t> stored);
// Puts a stored tile together where it is a recipe; others come back as they are.
[[nodiscard]] Result<Bytes> whole_tile(Bytes stored, const Archive& base, TileCoord tile);

}  // namespace tessera::tiles
