// The span of a request, once it is answered: OpenTelemetry's names for HTTP servers, and ours for what they don't
// know.
#pragma once

#include "http/message/request.hpp"
#include "http/server/stats.hpp"
#include "telemetry/span.hpp"

namespace tessera::http {

// Of a request that has a route. Never its query, which may hold a signature.
telemetry::Span span_of(const Request& request, const Answered& answered);

}  // namespace tessera::http
