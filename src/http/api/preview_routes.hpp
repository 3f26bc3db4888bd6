// GET /v1/assets/{id}/preview
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Previews;
}

namespace tessera::http {

// `previews` outlives the routes.
std::vector<Route> preview_routes(service::Previews& previews);

}  // namespace tessera::http
