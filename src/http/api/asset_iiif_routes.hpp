// The IIIF Image API 3.0 over assets: /v1/assets/{id}/iiif with a key, and /cdn/assets/{id}/iiif/{grant} with expiry
// and signature in the path; and where both are.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class AssetPictures;
}

namespace tessera::http {

// `pictures` must outlive the server.
std::vector<Route> asset_iiif_routes(service::AssetPictures& pictures);

}  // namespace tessera::http
