// Whether the blob store can be worked with. While it is away the worker claims nothing, and what it had in hand goes
// back to the queue: an outage costs time, not the attempts of every job that waits.
#pragma once

#include <atomic>

namespace tessera::blobs {
class BlobStore;
}

namespace tessera::worker {

class StorageWatch {
  public:
    explicit StorageWatch(blobs::BlobStore& blobs) : blobs_(blobs) {}

    // After storage failed a job: true when the store is away for everybody, and not for this one thing.
    [[nodiscard]] bool is_to_blame();
    // Before jobs are claimed; asks a store that was away.
    [[nodiscard]] bool is_back();

  private:
    [[nodiscard]] bool ask();

    blobs::BlobStore& blobs_;
    std::atomic<bool> away_{false};
};

}  // namespace tessera::worker
