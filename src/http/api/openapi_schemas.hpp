// The schemas of what the API speaks, for components/schemas of the OpenAPI document.
#pragma once

#include <boost/json/object.hpp>

#include "http/api/openapi.hpp"

namespace tessera::http {

boost::json::object openapi_schemas(const OpenApiOptions& options);

}  // namespace tessera::http
