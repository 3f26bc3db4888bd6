// The second OpenAPI document: the operators' interface, made from its routes.
#pragma once

#include <string>
#include <vector>

#include "http/routing/route.hpp"

namespace tessera::http {

// Adds GET /console/api/openapi.json, which tells of `routes` and of itself. Returns the document.
std::string add_operator_openapi_route(std::vector<Route>& routes, const std::string& version);

// What operators are sent and send, by name: JSON, as text.
std::string operator_schemas();

}  // namespace tessera::http
