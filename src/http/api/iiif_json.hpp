// A tileset as viewers of the IIIF Image API 3.0 know it.
#pragma once

#include <string>
#include <string_view>

#include "core/tileset.hpp"

namespace tessera::http {

inline constexpr std::string_view iiif_context = "http://iiif.io/api/image/3/context.json";
inline constexpr std::string_view iiif_profile = "http://iiif.io/api/image/3/level2.json";

// `base` is where its pictures are: what viewers put region, size and the rest behind.
std::string iiif_info(std::string_view base, const TilesetGeometry& geometry);

}  // namespace tessera::http
