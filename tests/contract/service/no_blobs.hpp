// A blob store that is away.
#pragma once

#include "blobs/blob_store.hpp"

namespace tessera::service {

class NoBlobs final : public blobs::BlobStore {
  public:
    Result<blobs::StagedFile> stage() override { return away(); }
    Result<void> publish(std::vector<blobs::Publication>) override { return away(); }
    Result<std::shared_ptr<const blobs::Blob>> open(const blobs::BlobKey&) override { return away(); }
    Result<UniqueFd> open_local(const blobs::BlobKey&) override { return away(); }
    Result<void> remove(const blobs::BlobKey&) override { return away(); }
    Result<blobs::BlobPage> list(std::string_view, const std::optional<std::string>&, std::size_t) override {
        return away();
    }
    Result<void> check() override { return away(); }

  private:
    static Error away() { return storage_unavailable("away"); }
};

}  // namespace tessera::service
