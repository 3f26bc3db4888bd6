// GET /v1/tilesets, GET /v1/tilesets/{id}, GET /v1/tilesets/{id}/tilejson and GET /v1/tilesets/{id}/addresses.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Tilesets;
}

namespace tessera::http {

// `tilesets` outlives the routes.
std::vector<Route> tileset_routes(service::Tilesets& tilesets);

}  // namespace tessera::http
