// Assets over the metadata and blob stores.
#pragma once

#include "core/clock.hpp"
#include "service/delivery/assets.hpp"

namespace tessera::metadata {
class Store;
}
namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

class AssetService final : public Assets {
  public:
    AssetService(metadata::Store& store, blobs::BlobStore& blobs, const Signer& signer, const Links& links,
                 const Clock& clock);

    Result<ListedAssets> list(const Principal& principal, const PageRequest& page) override;
    Result<AssetView> describe(const Principal& principal, std::string_view id, std::string_view origin) override;
    Result<SignedAsset> find_signed(std::string_view id, std::optional<std::string_view> expires,
                                    std::optional<std::string_view> signature) override;
    Result<BlobRange> read(const Asset& asset, std::uint64_t offset, std::uint64_t length) override;

  private:
    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    const Signer& signer_;
    const Links& links_;
    const Clock& clock_;
};

}  // namespace tessera::service
