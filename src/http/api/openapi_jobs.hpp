// What the OpenAPI document says of the operations that jobs run, each of which tells it itself.
#pragma once

#include <boost/json/object.hpp>

#include "http/api/openapi.hpp"

namespace tessera::http {

// The shapes of their requests, and whose results are tilesets.
void add_operations(boost::json::object& schemas, const OpenApiOptions& options);

}  // namespace tessera::http
