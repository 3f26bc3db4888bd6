// What a store behind a network counts of its requests. Each attempt is one, also where it is tried again.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/meters.hpp"

namespace tessera::blobs {

struct RequestMeters {
    static constexpr std::array<std::string_view, 5> methods = {"GET", "PUT", "HEAD", "POST", "DELETE"};

    std::array<Timing, methods.size()> durations;  // by method
    Counter unanswered;                            // no connection, a time-out, an answer cut short
    Counter turned_away;                           // by a 5xx, 408 or 429: the store has trouble, or too much to do

    Timing& duration_of(std::string_view method) {
        const auto found = std::ranges::find(methods, method);
        return durations[found == methods.end() ? 0 : static_cast<std::size_t>(found - methods.begin())];
    }
};

}  // namespace tessera::blobs
