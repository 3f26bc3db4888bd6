// Time as the service sees it. Timestamps have milliseconds and are UTC; code that decides by the clock takes a
// Clock, so that a test can hold it still or turn it back.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

using Millis = std::chrono::milliseconds;
using Timestamp = std::chrono::sys_time<Millis>;

std::string to_iso8601(Timestamp time);  // 2026-01-31T09:05:07.123Z
std::optional<Timestamp> from_iso8601(std::string_view text);

inline std::int64_t to_unix_millis(Timestamp time) {
    return time.time_since_epoch().count();
}
inline Timestamp from_unix_millis(std::int64_t millis) {
    return Timestamp(Millis(millis));
}
inline std::int64_t to_unix_seconds(Timestamp time) {
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Timestamp now() const override;
};

// Stands still until it is told to move.
class ManualClock final : public Clock {
  public:
    explicit ManualClock(Timestamp start) : millis_(to_unix_millis(start)) {}
    [[nodiscard]] Timestamp now() const override { return from_unix_millis(millis_.load()); }
    void advance(Millis by) { millis_ += by.count(); }  // may be negative

  private:
    std::atomic<std::int64_t> millis_;
};

}  // namespace tessera
