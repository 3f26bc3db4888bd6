// What a loop counts. Each loop writes only its own numbers, with plain loads and stores; a scrape sums them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::http {

// A number with one writer and any readers.
class Tally {
  public:
    Tally() = default;
    Tally(const Tally& other) : value_(other.get()) {}
    Tally& operator=(const Tally&) = delete;

    void add(std::uint64_t by = 1) { value_.store(get() + by, std::memory_order_relaxed); }
    void subtract(std::uint64_t by = 1) { value_.store(get() - by, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_{0};
};

inline constexpr std::array<double, 15> latency_bounds_s = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                            0.05,   0.1,     0.25,   0.5,   1,      2.5,   10};

struct RouteStats {
    std::array<Tally, 5> by_class;  // 1xx to 5xx
    std::array<Tally, latency_bounds_s.size() + 1> latency;
    Tally latency_sum_ns;
    Tally in_flight;
    Tally response_bytes;

    void finish(int status, std::chrono::nanoseconds took, std::uint64_t bytes);
};

struct LoopStats {
    explicit LoopStats(std::size_t routes) : by_route(routes) {}

    std::vector<RouteStats> by_route;
    Tally connections_accepted;
    Tally connections_open;
    Tally connections_refused;
    Tally timeouts;
    Tally bad_requests;  // refused before they had a route
    Tally overloaded;    // refused because the pool's queue was full
};

}  // namespace tessera::http
