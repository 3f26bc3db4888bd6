// Where a limit is large, a thread that admits many requests of one subject takes a part of what is left at once and
// spends it without a lock. The parts lie with the window, which takes back what is unspent before it refuses anybody:
// the count that is admitted stays exact.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "service/access/rate_limiter.hpp"

namespace tessera::service {

struct WindowKey {
    RateSubject subject;
    RateClass rate_class;
    bool operator==(const WindowKey&) const = default;
};
std::size_t hash_of(const WindowKey& key);

// Spent by one thread; filled and emptied only while the window is locked.
struct alignas(64) RateSlice {
    std::atomic<std::int64_t> left{0};

    // What is left after one was spent; nothing when there was none.
    std::optional<std::int64_t> spend();
};

// The slices of one window. The window's lock guards the list.
class RateSlices {
  public:
    [[nodiscard]] std::int64_t unspent() const;
    [[nodiscard]] std::int64_t take_back();  // all that is unspent
    // The calling thread's own, empty if it is new.
    [[nodiscard]] std::shared_ptr<RateSlice> of_this_thread();

    // Smaller limits are counted one by one.
    [[nodiscard]] static bool are_for(std::int64_t limit);
    // How many a thread may take at once: none for those who come seldom, and less and less towards the end.
    [[nodiscard]] static std::int64_t worth_taking(std::int64_t limit, std::int64_t taken, std::int64_t remaining);

  private:
    struct Owned {
        std::thread::id thread;
        std::shared_ptr<RateSlice> slice;
    };
    std::vector<Owned> slices_;
};

// The slices that one thread has of one limiter (per_thread.hpp). Used by that thread alone.
class ThreadRateSlices {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    struct Spent {
        std::int64_t remaining = 0;  // of the window, as far as this thread knows
        TimePoint closes_at;
    };
    // Nothing when the window has to be asked: for more, or for what the others did meanwhile.
    [[nodiscard]] std::optional<Spent> spend(const WindowKey& key, TimePoint now);
    void keep(const WindowKey& key, std::shared_ptr<RateSlice> slice, std::int64_t beside_it, TimePoint closes_at,
              TimePoint now);

  private:
    struct Kept {
        std::optional<WindowKey> key;
        std::shared_ptr<RateSlice> slice;
        std::int64_t beside_it = 0;  // what else was left in the window when the slice was taken
        TimePoint closes_at;
        TimePoint fresh_until;
    };
    static constexpr std::size_t slots = 256;
    [[nodiscard]] Kept& slot_of(const WindowKey& key) { return kept_[hash_of(key) / 64 % slots]; }

    std::vector<Kept> kept_ = std::vector<Kept>(slots);
};

}  // namespace tessera::service
