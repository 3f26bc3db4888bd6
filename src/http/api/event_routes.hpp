// GET /v1/events: what happens to an account's jobs, as Server-Sent Events.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Events;
}

namespace tessera::http {

// `events` must outlive the server.
std::vector<Route> event_routes(service::Events& events);

}  // namespace tessera::http
