// Copies blobs from one store to another and checks each on the way: against what its row says, and, when asked, by
// reading the copy back. What is there already is not sent again, so that a copy that was interrupted goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/result.hpp"
#include "metadata/transfer.hpp"

namespace tessera::app {

class BlobCopy {
  public:
    struct Settled {
        std::int64_t blobs = 0;
        std::uint64_t bytes = 0;
    };

    BlobCopy(blobs::BlobStore& from, blobs::BlobStore& to, bool read_back, std::function<void(const Settled&)> settled)
        : from_(from), to_(to), read_back_(read_back), report_(std::move(settled)) {}

    // An error is the target's; one blob that the source can't give whole is noted in damaged(), and has no digest.
    Result<std::optional<Digest>> add(const metadata::NamedBlob& blob);
    Result<void> finish();

    // The one that was noted last is no damage: it need not be there any more.
    void forgive_last() { damaged_.pop_back(); }

    [[nodiscard]] const Settled& settled() const { return settled_; }
    [[nodiscard]] const std::vector<std::string>& damaged() const { return damaged_; }  // what and why

  private:
    struct Waiting {
        blobs::Publication publication;
        Digest sha256;
    };
    // Nothing when the source can't give it whole.
    Result<std::optional<Waiting>> stage(const metadata::NamedBlob& blob);
    std::optional<Waiting> give_up(const metadata::NamedBlob& blob, const std::string& why);
    Result<void> compare(const blobs::BlobKey& key, const Digest& sha256);

    blobs::BlobStore& from_;
    blobs::BlobStore& to_;
    const bool read_back_;
    const std::function<void(const Settled&)> report_;
    std::vector<Waiting> waiting_;
    std::uint64_t waiting_bytes_ = 0;
    Settled settled_;
    std::vector<std::string> damaged_;
};

}  // namespace tessera::app
