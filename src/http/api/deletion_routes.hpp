// DELETE /v1/assets/{id}, /v1/artifacts/{id}, /v1/jobs/{id}/artifacts and /v1/tilesets/{id}.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Deletions;
}

namespace tessera::http {

// `deletions` outlives the routes.
std::vector<Route> deletion_routes(service::Deletions& deletions);

}  // namespace tessera::http
