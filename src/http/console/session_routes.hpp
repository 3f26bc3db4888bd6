// POST, GET and DELETE of an operator's session, and what goes with it.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class OperatorSessions;
}

namespace tessera::http {

// `sessions` outlives the routes.
std::vector<Route> session_routes(service::OperatorSessions& sessions);

}  // namespace tessera::http
