// Deletions over the metadata store; blobs go when the sweeper finds that nothing names them.
#pragma once

#include "service/delivery/deletions.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::service {

class DeletionService final : public Deletions {
  public:
    explicit DeletionService(metadata::Store& store) : store_(store) {}

    Result<void> remove_asset(const Principal& principal, std::string_view id) override;
    Result<void> remove_artifact(const Principal& principal, std::string_view id) override;
    Result<void> remove_artifacts_of(const Principal& principal, std::string_view job_id) override;
    Result<void> remove_tileset(const Principal& principal, std::string_view id) override;

  private:
    metadata::Store& store_;
};

}  // namespace tessera::service
