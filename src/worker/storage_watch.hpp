// Whether the blob store can be worked with. While it is away, or this node's disk is about to be full, the worker
// claims nothing, and what it had in hand goes back to the queue: an outage costs time, not the attempts of every job
// that waits.
#pragma once

#include <atomic>

#include "core/disk_floor.hpp"

namespace tessera::blobs {
class BlobStore;
}

namespace tessera::worker {

class StorageWatch {
  public:
    // The floor must outlive the watch.
    StorageWatch(blobs::BlobStore& blobs, const DiskFloor& disk) : blobs_(blobs), disk_(disk) {}

    // After storage failed a job: true when the store is away for everybody, and not for this one thing.
    [[nodiscard]] bool is_to_blame();
    // Before jobs are claimed; asks a store that was away, and looks whether the disk has room.
    [[nodiscard]] bool is_back();
    // As it was found when it was last asked.
    [[nodiscard]] bool is_away() const { return away_; }

  private:
    [[nodiscard]] bool ask();

    blobs::BlobStore& blobs_;
    const DiskFloor& disk_;
    std::atomic<bool> away_{false};
};

}  // namespace tessera::worker
