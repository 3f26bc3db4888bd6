// GET /v1/jobs and POST /v1/jobs/{id}/cancel.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class JobLists;
}

namespace tessera::http {

// `jobs` must outlive the server.
std::vector<Route> job_list_routes(service::JobLists& jobs);

}  // namespace tessera::http
