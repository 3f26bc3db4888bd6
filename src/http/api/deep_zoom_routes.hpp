// Deep Zoom over tilesets: a descriptor, image.dzi, and its tiles below image_files, with a key or with expiry and
// signature in the path.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class Pictures;
}

namespace tessera::http {

// `pictures` must outlive the server.
std::vector<Route> deep_zoom_routes(service::Pictures& pictures);

}  // namespace tessera::http
