// Tilesets as clients see them, and as map viewers do (TileJSON 3.0).
#pragma once

#include <string>

#include "service/delivery/tilesets.hpp"

namespace tessera::http {

std::string to_json(const service::TilesetView& view);
std::string to_json(const service::ListedTilesets& listed);
std::string to_json(const service::TilesetAddresses& addresses);
std::string to_tilejson(const service::TileSource& source);

}  // namespace tessera::http
