// Numbers that any thread may raise without a lock and without getting in the way of other cores: each thread writes to
// one of a few stripes, and whoever reads sums them up.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

inline constexpr std::size_t meter_stripes = 8;
// Of the calling thread: threads are dealt out in turn.
std::size_t meter_stripe();

class Counter {
  public:
    void add(std::uint64_t by = 1) { stripes_[meter_stripe()].value.fetch_add(by, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const;

  private:
    struct alignas(64) Stripe {
        std::atomic<std::uint64_t> value{0};
    };
    std::array<Stripe, meter_stripes> stripes_;
};

// Upper bounds of a histogram's buckets, in seconds. One more bucket takes all that is longer.
inline constexpr std::size_t timing_bounds = 15;
using TimingBounds = std::array<double, timing_bounds>;
// Calls and requests.
inline constexpr TimingBounds short_times = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                             0.05,   0.1,     0.25,   0.5,   1,      2.5,   10};
// Jobs, and their waiting.
inline constexpr TimingBounds long_times = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600, 3600};

class Timing {
  public:
    explicit Timing(const TimingBounds& bounds = short_times) : bounds_(&bounds) {}

    void note(std::chrono::nanoseconds took);

    struct Reading {
        const TimingBounds* bounds = nullptr;
        std::array<std::uint64_t, timing_bounds + 1> counts{};  // each bucket by itself
        double sum_s = 0;
    };
    [[nodiscard]] Reading read() const;

  private:
    struct alignas(64) Stripe {
        std::array<std::atomic<std::uint64_t>, timing_bounds + 1> counts{};
        std::atomic<std::uint64_t> sum_ns{0};
    };
    const TimingBounds* bounds_;
    std::array<Stripe, meter_stripes> stripes_;
};

// Notes the time from its making to its end.
class TimedScope {
  public:
    explicit TimedScope(Timing& timing) : timing_(timing), begun_(std::chrono::steady_clock::now()) {}
    TimedScope(const TimedScope&) = delete;
    TimedScope& operator=(const TimedScope&) = delete;
    ~TimedScope() { timing_.note(std::chrono::steady_clock::now() - begun_); }

  private:
    Timing& timing_;
    const std::chrono::steady_clock::time_point begun_;
};

// How a cache has served, and what is in it.
struct CacheMeter {
    Counter hits;
    Counter misses;
    std::atomic<std::int64_t> bytes{0};
};

}  // namespace tessera
