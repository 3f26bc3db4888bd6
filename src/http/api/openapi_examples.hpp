// An example of each larger schema of the OpenAPI document, by the schema's name.
#pragma once

#include <boost/json/object.hpp>

namespace tessera::http {

boost::json::object openapi_examples();

}  // namespace tessera::http
