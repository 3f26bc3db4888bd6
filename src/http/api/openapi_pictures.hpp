// Schemas of what viewers are told of pictures: IIIF's info.json, and where pictures are.
#pragma once

#include <boost/json/object.hpp>

namespace tessera::http {

// To components/schemas, each with an example.
void add_picture_schemas(boost::json::object& schemas);

}  // namespace tessera::http
