// While it lives, no node deletes a blob: what the database named at any moment since can still be copied. Ends by
// itself within a minute when this process is killed.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "core/periodic_thread.hpp"
#include "core/result.hpp"

namespace tessera::metadata {
class Maintenance;
}

namespace tessera::app {

class KeepBlobs {
  public:
    explicit KeepBlobs(metadata::Maintenance& maintenance);  // ends the command where the database does not take it
    KeepBlobs(const KeepBlobs&) = delete;
    KeepBlobs& operator=(const KeepBlobs&) = delete;
    ~KeepBlobs();

    // An error when it could not be kept up all the time: something may have been deleted.
    [[nodiscard]] Result<void> held_throughout() const;

  private:
    void renew();

    metadata::Maintenance& maintenance_;
    const std::string holder_;
    std::atomic<bool> was_lost_{false};
    std::atomic<std::chrono::steady_clock::time_point> kept_until_;
    PeriodicThread thread_;
};

}  // namespace tessera::app
