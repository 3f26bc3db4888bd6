// When a delivery that failed is tried again.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/clock.hpp"

namespace tessera::webhooks {

// Longer waits that an endpoint asks for are not obeyed.
inline constexpr Millis longest_retry_after = std::chrono::hours(24);

class Schedule {
  public:
    // `pauses` after each failure but the last; `longest_pause` between tries of an endpoint that is away.
    Schedule(std::vector<Millis> pauses, Millis longest_pause);

    // Until the next attempt, with a tenth more or less, so that what failed together does not come back together; at
    // least what the endpoint asked for. Empty when that was the last. `failures` counts this one, too.
    [[nodiscard]] std::optional<Millis> pause_after(int failures, std::optional<Millis> asked_for) const;

    // Until anything is sent to an endpoint that has failed so often in a row.
    [[nodiscard]] Millis endpoint_pause(int failures_in_a_row) const;

  private:
    std::vector<Millis> pauses_;
    Millis longest_pause_;
};

// The value of a `Retry-After` header, seconds or a date, within bounds. Empty when it is neither.
std::optional<Millis> parse_retry_after(std::string_view text, Timestamp now);

}  // namespace tessera::webhooks
