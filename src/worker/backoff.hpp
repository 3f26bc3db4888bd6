// How long to wait before another attempt: doubling, with jitter, so that what failed together does not return
// together.
#pragma once

#include <algorithm>

#include "core/clock.hpp"
#include "worker/config.hpp"

namespace tessera::worker {

// `attempt` is the one that failed, from 1. `random` is uniform in [0, 1).
inline Millis backoff_after(int attempt, const WorkerConfig& config, double random) {
    const int doublings = std::clamp(attempt - 1, 0, 20);
    const auto full = static_cast<double>(config.retry_base.count()) * static_cast<double>(1 << doublings);
    const double bounded = std::min(full, static_cast<double>(config.retry_longest.count()));
    return Millis(static_cast<Millis::rep>(bounded * (0.5 + random / 2)));
}

}  // namespace tessera::worker
