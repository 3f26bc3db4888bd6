// Counters of requests in windows of time, shared by the nodes of a cluster.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

// What one node counted in a window since it last said so.
struct RateDelta {
    std::string key;
    std::int64_t count = 0;
    Millis ends_in{0};  // the window, as the node knows it: positive
};

// What all nodes counted in the window that is open now.
struct RateTotal {
    std::int64_t count = 0;
    Millis ends_in{0};
};

class RateCounters {
  public:
    virtual ~RateCounters() = default;

    // Adds to many counters at once, each key named once at most; the totals are in the same order. Where no window is
    // open the node's own becomes everybody's; of two that overlap, the one that began first holds for all.
    virtual Result<std::vector<RateTotal>> add(std::span<const RateDelta> deltas) = 0;
};

}  // namespace tessera::metadata
