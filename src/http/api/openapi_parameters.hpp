// Parameters and headers of the OpenAPI document: each name means the same wherever it stands.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string_view>

#include "http/routing/route.hpp"

namespace tessera::http {

// The parameters of a route: those in its pattern, then those that it names.
boost::json::array openapi_parameters(const Route& route);

// components/headers: what answers say in their heads.
boost::json::object openapi_headers();

// References to headers by name, for an answer.
boost::json::object header_references(const std::vector<std::string>& names);

}  // namespace tessera::http
