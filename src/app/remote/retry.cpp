#include "app/remote/retry.hpp"

#include <algorithm>
#include <cmath>

#include "app/remote/rate_limit.hpp"
#include "app/remote/refusal.hpp"

namespace tessera::remote {

bool asks_to_wait(const Answer& answer) {
    if (!answer.failure.empty() || answer.status != 429) return false;
    return !answer.header("retry-after").empty() || refusal_of(answer).code == "in_flight_limit_exceeded";
}

bool is_passing_fault(const Answer& answer) {
    if (!answer.failure.empty()) return answer.may_pass && !answer.dropped;
    switch (answer.status) {
        case 408:
        case 500:
        case 502:
        case 503:
        case 504: return true;
        default: return false;
    }
}

Millis backoff(const RetryRules& rules, int count, double chance) {
    const double whole = std::min(static_cast<double>(rules.longest_pause.count()),
                                  static_cast<double>(rules.first_pause.count()) * std::exp2(std::min(count, 30)));
    return std::max(rules.first_pause, Millis(static_cast<std::int64_t>(whole * (1 - chance / 2))));
}

std::optional<Millis> pause_before_next(const RetryRules& rules, Tries& tries, const Answer& answer, Instant now,
                                        std::chrono::system_clock::time_point wall, double chance) {
    const auto told = retry_after(answer.header("retry-after"), wall);
    if (told && *told > rules.longest_wait) return std::nullopt;
    if (asks_to_wait(answer)) {
        tries.failing_since.reset();  // it answers
        tries.faults = 0;
        const Millis own = backoff(rules, tries.waits++, chance);
        if (!told) return own;
        // All who wait are told the same moment; the small addition keeps them apart. One that was told so before, and
        // in vain, comes later.
        const Millis apart(static_cast<std::int64_t>(chance * static_cast<double>(rules.first_pause.count())));
        return tries.waits == 1 ? *told + apart : std::max(*told + apart, own);
    }
    if (!is_passing_fault(answer)) return std::nullopt;
    if (!tries.failing_since) tries.failing_since = now;
    const Millis pause = std::max(told.value_or(Millis(0)), backoff(rules, tries.faults++, chance));
    if (now + pause - *tries.failing_since > rules.patience) return std::nullopt;
    return pause;
}

}  // namespace tessera::remote
