// Accounts that are being erased, one after another on a thread of its own, by one node at a time. It goes on with what
// a stop, a kill or a fault interrupted: what has been begun is in the database.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "core/account.hpp"
#include "core/periodic_thread.hpp"
#include "core/result.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
}

namespace tessera::service {

class Eraser {
  public:
    Eraser(metadata::Store& store, blobs::BlobStore& blobs);
    Eraser(const Eraser&) = delete;
    Eraser& operator=(const Eraser&) = delete;
    ~Eraser();  // stop()

    void start();
    // Suspends it for good, and erases the rest later. The trail names who asked.
    Result<Account> begin(const Uuid& account_id);
    // The account at hand is left as it is between two steps. Safe twice.
    void stop();

  private:
    Millis erase_all(const std::stop_token& stop);  // how long until it is looked again
    bool erase(const Uuid& account_id, const std::stop_token& stop);
    [[nodiscard]] bool holds_lease();

    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    const std::string name_;
    std::chrono::steady_clock::time_point held_at_;
    PeriodicThread thread_;
};

}  // namespace tessera::service
