// Counters of requests in windows of time, shared by the nodes of a cluster.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct RateCount {
    std::int64_t count = 0;  // in the current window, this one included
    Millis resets_in{0};
};

class RateCounters {
  public:
    virtual ~RateCounters() = default;

    // Counts one request. A window starts with a key's first request and lasts `window`. The count stops rising
    // above `limit` + 1.
    virtual Result<RateCount> hit(std::string_view key, std::int64_t limit, Millis window) = 0;
};

}  // namespace tessera::metadata
