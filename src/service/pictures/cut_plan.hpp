// Inside pictures only: which tiles a cut is made from.
#pragma once

#include <cstdint>
#include <optional>

#include "core/result.hpp"
#include "service/pictures/cut.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::service {

// Of the tiles that one picture is made from. Where more would be needed, a smaller zoom has to do.
inline constexpr std::int64_t most_tile_pixels = std::int64_t{80} << 20;

// The tiles that hold what is shown.
[[nodiscard]] tiles::TileRange tiles_of(const Cut& cut, int tile_size);
// The one tile whose very bytes are the picture.
[[nodiscard]] std::optional<tiles::TileCoord> whole_tile(const Cut& cut, const TilesetGeometry& geometry);

// `region` in pixels of the full size. Where a zoom has just these pixels they are taken as they are; otherwise from
// the smallest zoom that has enough.
[[nodiscard]] Cut plan_cut(const tiles::PyramidShape& shape, const tiles::PixelRect& region, PictureSize size);

}  // namespace tessera::service
