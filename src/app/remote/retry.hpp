// When a request is sent again, and after which pause: all the rules are here.
#pragma once

#include <optional>

#include "app/remote/message.hpp"

namespace tessera::remote {

struct RetryRules {
    Millis first_pause{500};
    Millis longest_pause{30'000};
    // How long faults of the service or the network are borne with. Being told to wait is no fault.
    Millis patience{300'000};
    // The longest wait that a service may ask for at once.
    Millis longest_wait{900'000};
};

// What has happened to a request so far.
struct Tries {
    int faults = 0;
    int waits = 0;
    std::optional<Instant> failing_since{};
};

// Whether it is a 429 that only asks for patience. Others (credits, limits of the plan) are not helped by it.
bool asks_to_wait(const Answer& answer);

// Whether the service, or the way to it, had a fault that may be over the next time.
bool is_passing_fault(const Answer& answer);

// Doubles, up to the longest pause; up to half of it is left to chance (0 to 1), and none is shorter than the first.
Millis backoff(const RetryRules& rules, int count, double chance);

// The pause before the next try; nothing: the answer stands.
std::optional<Millis> pause_before_next(const RetryRules& rules, Tries& tries, const Answer& answer, Instant now,
                                        std::chrono::system_clock::time_point wall, double chance);

}  // namespace tessera::remote
