// An example of each larger schema of the OpenAPI document, by the schema's name.
#pragma once

#include <boost/json/object.hpp>

#include "http/api/openapi.hpp"

namespace tessera::http {

boost::json::object openapi_examples(const OpenApiOptions& options);

}  // namespace tessera::http
