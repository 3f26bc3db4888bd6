// One operation of the OpenAPI document: what a route takes and every answer that it may give.
#pragma once

#include <boost/json/object.hpp>

#include "http/routing/route.hpp"

namespace tessera::http {

boost::json::object openapi_operation(const Route& route);

}  // namespace tessera::http
