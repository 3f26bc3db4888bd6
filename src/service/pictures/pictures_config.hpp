// What is set for pictures that are cut for viewers.
#pragma once

#include <cstdint>

namespace tessera::service {

struct PicturesConfig {
    std::int64_t cache_bytes = std::int64_t{64} << 20;  // of all that were made, of tilesets and assets
    std::int64_t max_asset_megapixels = 50;             // over which an asset has to be tiled
};

}  // namespace tessera::service
