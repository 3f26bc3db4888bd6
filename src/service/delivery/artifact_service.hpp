// Artifacts over the metadata and blob stores.
#pragma once

#include "core/clock.hpp"
#include "service/delivery/artifacts.hpp"

namespace tessera::metadata {
class Store;
}
namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

class ArtifactService final : public Artifacts {
  public:
    ArtifactService(metadata::Store& store, blobs::BlobStore& blobs, const Signer& signer, const Links& links,
                    const Clock& clock);

    Result<ArtifactView> describe(const Principal& principal, std::string_view id, std::string_view origin) override;
    Result<SignedArtifact> find_signed(std::string_view id, std::optional<std::string_view> expires,
                                       std::optional<std::string_view> signature) override;
    Result<BlobRange> read(const Artifact& artifact, std::uint64_t offset, std::uint64_t length) override;

  private:
    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    const Signer& signer_;
    const Links& links_;
    const Clock& clock_;
};

}  // namespace tessera::service
