// Pictures of assets over the stores and the engines.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/host/cut.hpp"
#include "service/delivery/links.hpp"
#include "service/pictures/asset_pictures.hpp"
#include "service/pictures/pictures_config.hpp"
#include "service/previews/made_once.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
}  // namespace tessera::metadata

namespace tessera::service {

class DeliveryMeter;

struct AssetPictureParts {
    metadata::Store& store;
    blobs::BlobStore& blobs;
    const Signer& signer;
    const Links& links;
    const Clock& clock;
    engine::Cutter& cutter;
    DeliveryMeter& meter;
    std::shared_ptr<MadeOnce> made;  // with pictures of tilesets
};

class AssetPictureService final : public AssetPictures {
  public:
    AssetPictureService(const AssetPictureParts& parts, const PicturesConfig& config)
        : parts_(parts), config_(config) {}

    Result<AssetSource> find(const AssetPicturesQuestion& question) override;
    Result<Opened> open(const AssetSource& source, const AssetPart& part) override;
    [[nodiscard]] std::string tag_of(const AssetSource& source, const AssetPart& part) const override;
    void count_delivered(const AssetSource& source, std::size_t bytes) override;
    Result<AssetAddresses> addresses(const Principal& principal, std::string_view asset_id,
                                     std::string_view origin) override;

  private:
    Result<Asset> own_asset(const Principal& principal, std::string_view asset_id);
    Result<AssetSource> granted(const AssetPicturesQuestion& question);
    [[nodiscard]] Result<void> check_size(const Asset& asset) const;

    AssetPictureParts parts_;
    PicturesConfig config_;
};

}  // namespace tessera::service
