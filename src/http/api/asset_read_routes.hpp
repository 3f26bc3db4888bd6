// GET /v1/assets, GET /v1/assets/{id} and GET /v1/assets/{id}/content.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Assets;
}

namespace tessera::http {

// `assets` outlives the routes.
std::vector<Route> asset_read_routes(service::Assets& assets);

}  // namespace tessera::http
