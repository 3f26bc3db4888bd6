// The use cases of assets that are there: list them, describe one to its owner, and serve its bytes to whoever holds a
// signed address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/asset.hpp"
#include "core/result.hpp"
#include "service/access/page.hpp"
#include "service/access/principal.hpp"
#include "service/delivery/blob_range.hpp"
#include "service/delivery/links.hpp"

namespace tessera::service {

struct AssetView {
    Asset asset;
    DownloadLink link;  // to its bytes
};

struct ListedAssets {
    std::vector<Asset> assets;
    std::optional<std::string> next_cursor;
};

struct SignedAsset {
    Asset asset;
    std::int64_t seconds_left = 0;  // until the address expires
};

class Assets {
  public:
    virtual ~Assets() = default;

    [[nodiscard]] virtual Result<ListedAssets> list(const Principal& principal, const PageRequest& page) = 0;
    [[nodiscard]] virtual Result<AssetView> describe(const Principal& principal, std::string_view id,
                                                     std::string_view origin) = 0;
    // `expires` and `signature` as they stand in the address, undecoded: each has one spelling only.
    [[nodiscard]] virtual Result<SignedAsset> find_signed(std::string_view id, std::optional<std::string_view> expires,
                                                          std::optional<std::string_view> signature) = 0;
    [[nodiscard]] virtual Result<BlobRange> read(const Asset& asset, std::uint64_t offset, std::uint64_t length) = 0;
};

}  // namespace tessera::service
