// Schemas of what stands beside the interface: lists, single reads, TileJSON.
#pragma once

#include <boost/json/object.hpp>

namespace tessera::http {

// To components/schemas, each with an example.
void add_list_schemas(boost::json::object& schemas);

}  // namespace tessera::http
