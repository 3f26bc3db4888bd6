// POST /v1/jobs and GET /v1/jobs/{id}.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Jobs;
}

namespace tessera::http {

// `jobs` must outlive the server.
std::vector<Route> job_routes(service::Jobs& jobs);

}  // namespace tessera::http
