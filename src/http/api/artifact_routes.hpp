// GET /v1/artifacts/{id} and GET /v1/artifacts/{id}/download.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Artifacts;
}

namespace tessera::http {

// `artifacts` must outlive the server.
std::vector<Route> artifact_routes(service::Artifacts& artifacts);

}  // namespace tessera::http
