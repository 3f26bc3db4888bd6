// The messages that the service sends, as the OpenAPI document tells of them.
#pragma once

#include <boost/json/object.hpp>

namespace tessera::http {

// By event. They refer to the schema Job.
boost::json::object openapi_webhooks();

}  // namespace tessera::http
