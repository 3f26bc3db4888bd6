#include "service/upkeep/readiness.hpp"

#include <algorithm>

#include "core/log.hpp"

namespace tessera::service {

Readiness::Readiness(std::chrono::milliseconds max_age) : max_age_(max_age) {}

void Readiness::add(std::string name, Probe probe) {
    parts_.push_back({std::move(name), std::move(probe)});
}

ReadinessReport Readiness::report() {
    // Only one thread probes. The others do not queue up behind a database that hangs: they answer from the last
    // report, unless there is none yet.
    std::unique_lock probing(probing_, std::defer_lock);
    bool first = false;
    bool fresh = false;
    {
        const std::lock_guard lock(last_mutex_);
        first = last_at_ == std::chrono::steady_clock::time_point{};
        fresh = !first && std::chrono::steady_clock::now() - last_at_ < max_age_;
    }
    if (first) {
        probing.lock();
    } else if (!fresh && !draining_) {  // one that ends takes its own parts away, which is nothing to warn of
        (void)probing.try_lock();
    }

    if (probing.owns_lock()) {
        std::vector<ReadinessCheck> checks;
        for (Part& part : parts_) {
            const Result<void> result = part.probe();
            if (result.ok() != part.was_ok && !draining_) {
                if (result.ok()) {
                    log::info("readiness_recovered", {{"part", part.name}});
                } else {
                    log::warning("readiness_lost", {{"part", part.name}, {"detail", result.error().detail}});
                }
                part.was_ok = result.ok();
            }
            checks.push_back({part.name, result.ok()});
        }
        const std::lock_guard lock(last_mutex_);
        last_ = std::move(checks);
        last_at_ = std::chrono::steady_clock::now();
    }

    ReadinessReport report;
    report.draining = draining_;
    const std::lock_guard lock(last_mutex_);
    report.checks = last_;
    report.ready = !report.draining && std::all_of(last_.begin(), last_.end(), [](const auto& c) { return c.ok; });
    return report;
}

}  // namespace tessera::service
