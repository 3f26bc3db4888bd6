// The IIIF Image API 3.0 over tilesets: /v1/tilesets/{id}/v/{version}/iiif with a key, and
// /cdn/tilesets/{id}/v/{version}/iiif/{grant} with expiry and signature in the path.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Pictures;
}

namespace tessera::http {

// `pictures` must outlive the server.
std::vector<Route> iiif_routes(service::Pictures& pictures);

}  // namespace tessera::http
