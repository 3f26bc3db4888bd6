// POST /v1/assets: a multipart body streamed into an upload.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Uploads;
}

namespace tessera::http {

// `uploads` outlives the routes.
std::vector<Route> asset_routes(service::Uploads& uploads);

}  // namespace tessera::http
