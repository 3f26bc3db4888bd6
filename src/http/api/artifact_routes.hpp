// GET /v1/artifacts/{id} and GET /v1/artifacts/{id}/download.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Artifacts;
}

namespace tessera::http {

// `artifacts` must outlive the server.
std::vector<Route> artifact_routes(service::Artifacts& artifacts);

// "attachment" with the name twice: in ASCII for old clients, and as it is.
std::string content_disposition(std::string_view filename);

}  // namespace tessera::http
