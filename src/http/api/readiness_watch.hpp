// Asks on a thread of its own whether the node is ready, again and again, so that /readyz answers at once and truly:
// neither a database that hangs nor a pool that is busy can hold it up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tessera::http {

struct ReadinessPart {
    std::string name;
    bool ok = false;
};

struct ReadinessAnswer {
    bool ready = false;
    bool draining = false;
    std::vector<ReadinessPart> parts;
};

class ReadinessWatch {
  public:
    using Ask = std::function<ReadinessAnswer()>;

    // An answer older than `stale_after` means that asking hangs, and that the node is not ready.
    explicit ReadinessWatch(Ask ask, std::chrono::milliseconds interval = std::chrono::milliseconds(1000),
                            std::chrono::milliseconds stale_after = std::chrono::milliseconds(5000));
    ~ReadinessWatch();
    ReadinessWatch(const ReadinessWatch&) = delete;
    ReadinessWatch& operator=(const ReadinessWatch&) = delete;

    struct Report {
        bool ready = false;
        std::string json;
    };
    [[nodiscard]] Report report() const;
    // What was found last; none is well while asking hangs.
    [[nodiscard]] std::vector<ReadinessPart> parts() const;
    void start_draining();  // not ready from now on

  private:
    using Clock = std::chrono::steady_clock;
    void run();

    const Ask ask_;
    const std::chrono::milliseconds interval_;
    const std::chrono::milliseconds stale_after_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    bool draining_ = false;
    ReadinessAnswer answer_;
    Clock::time_point answered_at_{};
    std::thread thread_;
};

}  // namespace tessera::http
