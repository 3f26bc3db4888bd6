// POST /v1/jobs and GET /v1/jobs/{id}.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Jobs;
class JobWaits;
}  // namespace tessera::service

namespace tessera::http {

// Both must outlive the server. Without `waits` no request waits for its job to end.
std::vector<Route> job_routes(service::Jobs& jobs, service::JobWaits* waits = nullptr);

}  // namespace tessera::http
