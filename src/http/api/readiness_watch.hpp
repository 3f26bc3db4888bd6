// Asks on a thread of its own whether the node is ready, again and again, so that /readyz answers at once and truly:
// neither a database that hangs nor a pool that is busy can hold it up.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/periodic_thread.hpp"

namespace tessera::http {

struct ReadinessCheck {
    std::string name;
    bool ok = false;
};

struct ReadinessAnswer {
    bool ready = false;
    bool draining = false;
    std::vector<ReadinessCheck> checks;
};

class ReadinessWatch {
  public:
    using Ask = std::function<ReadinessAnswer()>;

    // An answer older than `stale_after` means that asking hangs, and that the node is not ready.
    explicit ReadinessWatch(Ask ask, std::chrono::milliseconds interval = std::chrono::milliseconds(1000),
                            std::chrono::milliseconds stale_after = std::chrono::milliseconds(5000));
    ReadinessWatch(const ReadinessWatch&) = delete;
    ReadinessWatch& operator=(const ReadinessWatch&) = delete;

    struct Report {
        bool ready = false;
        std::string json;
    };
    [[nodiscard]] Report report() const;
    // What was found last; none is well while asking hangs.
    [[nodiscard]] std::vector<ReadinessCheck> checks() const;
    void start_draining();  // not ready from now on

  private:
    using Clock = std::chrono::steady_clock;

    const Ask ask_;
    const std::chrono::milliseconds stale_after_;
    mutable std::mutex mutex_;
    bool draining_ = false;
    ReadinessAnswer answer_;
    Clock::time_point answered_at_{};
    PeriodicThread thread_;  // last: it uses all of the above
};

}  // namespace tessera::http
