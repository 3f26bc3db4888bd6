// The operators' routes of what goes on: overview, webhooks, the audit trail, the configuration.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class WatchDesk;
}

namespace tessera::http {

// `desk` outlives the routes.
std::vector<Route> watch_routes(service::WatchDesk& desk);

}  // namespace tessera::http
