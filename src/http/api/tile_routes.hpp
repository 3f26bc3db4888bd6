// GET /v1/tilesets/{id}/xyz/{z}/{x}/{y} with a key, and /cdn/tilesets/{id}/v/{version}/xyz/{z}/{x}/{y} with a
// signature.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Tiles;
}

namespace tessera::http {

// `tiles` must outlive the server.
std::vector<Route> tile_routes(service::Tiles& tiles);

}  // namespace tessera::http
