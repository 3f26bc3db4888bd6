// Previews over the stores and the engines. One that several ask for at once is made once.
#pragma once

#include <memory>

#include "engine/host/preview.hpp"
#include "service/delivery/assets.hpp"
#include "service/previews/made_once.hpp"
#include "service/previews/previews.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
class Subscription;
}  // namespace tessera::metadata

namespace tessera::service {

struct PreviewsConfig {
    std::int64_t cache_bytes = std::int64_t{64} << 20;
};

class PreviewService final : public Previews {
  public:
    PreviewService(metadata::Store& store, blobs::BlobStore& blobs, Assets& assets, engine::Previewer& previewer,
                   const PreviewsConfig& config);
    ~PreviewService() override;

    Result<PreviewOf> find(const Principal& principal, std::string_view asset_id) override;
    Result<PreviewOf> find_signed(std::string_view asset_id, std::optional<std::string_view> expires,
                                  std::optional<std::string_view> signature) override;

  private:
    PreviewOf preview_of(Asset asset);
    Result<std::variant<PreviewBytes, std::shared_ptr<PendingPreview>>> open(const Asset& asset,
                                                                             const std::string& tag);

    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    Assets& assets_;
    engine::Previewer& previewer_;
    std::shared_ptr<MadeOnce> made_;  // with what is still being made
    std::unique_ptr<metadata::Subscription> erasures_;
};

}  // namespace tessera::service
