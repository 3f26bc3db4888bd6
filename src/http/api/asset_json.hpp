// Assets as clients see them.
#pragma once

#include <string>

#include "service/delivery/assets.hpp"

namespace tessera::http {

// The interface's own fields.
std::string to_json(const Asset& asset);
// With when it expires, and where its bytes are.
std::string to_json(const service::AssetView& view);
// With when each expires.
std::string to_json(const service::ListedAssets& listed);

}  // namespace tessera::http
