// Deep Zoom: a descriptor in XML, and tiles that are cut at the picture's edge. Its levels count from a single pixel
// up, so that those below our zoom 0 are made from its tile. No tile overlaps another.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "service/pictures/cut.hpp"

namespace tessera::service {

[[nodiscard]] std::string deep_zoom_descriptor(const TilesetGeometry& geometry);

// The level at which the picture has its full size.
[[nodiscard]] int deep_zoom_levels(const TilesetGeometry& geometry);

// `file` is {column}_{row}.{extension}, as it stands in the address. `tile_not_found` where the picture has no such
// tile.
[[nodiscard]] Result<Cut> resolve_deep_zoom(std::string_view level, std::string_view file,
                                            const TilesetGeometry& geometry);

}  // namespace tessera::service
