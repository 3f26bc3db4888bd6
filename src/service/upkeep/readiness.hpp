// Whether this node can do its work: database, blobs and engine answer, and it is not draining.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tessera::service {

struct ReadinessCheck {
    std::string name;
    bool ok = false;
};

struct ReadinessReport {
    bool ready = false;
    bool draining = false;
    std::vector<ReadinessCheck> checks;
};

class Readiness {
  public:
    using Probe = std::function<Result<void>()>;

    // A report is at most `max_age` old, however often it is asked for: health checks must not become load.
    explicit Readiness(std::chrono::milliseconds max_age = std::chrono::milliseconds(500));

    void add(std::string name, Probe probe);  // before the first report()
    void start_draining() { draining_ = true; }

    // Runs the probes when the last report is too old, so it may block. One caller probes, the others get what is
    // known.
    [[nodiscard]] ReadinessReport report();

  private:
    struct Part {
        std::string name;
        Probe probe;
        bool was_ok = true;
    };

    const std::chrono::milliseconds max_age_;
    std::vector<Part> parts_;
    std::atomic<bool> draining_{false};
    std::mutex probing_;
    std::mutex last_mutex_;
    std::vector<ReadinessCheck> last_;
    std::chrono::steady_clock::time_point last_at_{};
};

}  // namespace tessera::service
