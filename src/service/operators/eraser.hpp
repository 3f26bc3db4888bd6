// Accounts that operators erase, one after another on a thread of its own. What was begun is suspended at once; what a
// stop interrupts goes on when it is asked for again.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "core/account.hpp"
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
    Eraser(metadata::Store& store, blobs::BlobStore& blobs) : store_(store), blobs_(blobs) {}
    Eraser(const Eraser&) = delete;
    Eraser& operator=(const Eraser&) = delete;
    ~Eraser();  // stop()

    // Suspends it for good, and erases the rest later. The trail names who asked.
    Result<Account> begin(const Uuid& account_id);
    // After the account at hand, which is left as it is between two steps. Safe twice.
    void stop();

  private:
    struct Order {
        Uuid account_id;
        std::string actor;
    };
    void work();

    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Order> orders_;
    bool stopping_ = false;
    std::thread thread_;  // started with the first order
};

}  // namespace tessera::service
