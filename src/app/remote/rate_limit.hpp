// Rate limits as a service tells them, and a pacer that keeps within them: what is refused is not worth sending.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/remote/message.hpp"

namespace tessera::remote {

// What an answer tells of the limit that its request was counted against.
struct RateLimit {
    std::int64_t remaining = 0;
    std::chrono::seconds resets_after{0};
    std::int64_t limit = 0;  // 0: not told
    std::chrono::seconds window{60};

    friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

// From `RateLimit` and `RateLimit-Policy`, or from `RateLimit-Remaining` and its like; nothing where neither is there.
std::optional<RateLimit> rate_limit_of(const Answer& answer);

// `Retry-After`, a number of seconds or a date.
std::optional<Millis> retry_after(std::string_view value, std::chrono::system_clock::time_point now);

// The requests of one limit. A window opens with its first request and admits a count until it closes; answers may come
// late and in another order than they were asked for.
class Pacer {
  public:
    // When the next request may be sent; not later than `now`: at once.
    [[nodiscard]] Instant next(Instant now) const;
    // A request is sent; the number names it in `answered`.
    std::uint64_t sent(Instant now);
    void answered(std::uint64_t number, Instant sent_at, Instant now, const RateLimit& told);
    // A request that got no answer, or none that tells of limits.
    void learned_nothing();
    // Requests that one window admits, and how long it is; nothing where no limit was told.
    struct Pace {
        std::int64_t limit;
        std::chrono::seconds window;
    };
    [[nodiscard]] std::optional<Pace> pace() const;
    // The service said when to come back.
    void hold_until(Instant when);

  private:
    std::uint64_t count_ = 0;        // of requests sent
    std::uint64_t informed_by_ = 0;  // the latest of them whose answer was taken into account
    std::optional<std::int64_t> left_;
    std::optional<Instant> resets_at_;  // nothing: the next answer tells
    std::int64_t limit_ = 0;
    std::chrono::seconds window_{0};
    Instant held_until_{};
};

}  // namespace tessera::remote
