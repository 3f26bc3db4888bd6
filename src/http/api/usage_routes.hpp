// GET /v1/usage
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class UsageHistories;
}

namespace tessera::http {

// `histories` outlives the routes.
std::vector<Route> usage_routes(service::UsageHistories& histories);

}  // namespace tessera::http
