// What a loop counts. Each loop writes only its own numbers, with plain loads and stores; a scrape sums them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/exemplars.hpp"
#include "core/meters.hpp"
#include "core/uuid.hpp"
#include "http/message/problems.hpp"

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

// How a request was answered.
struct Answered {
    int status = 0;
    std::optional<ErrorCode> error_code;  // of a refusal, as the client was told it
    std::optional<Uuid> job;              // that the answer tells of
    std::uint64_t bytes = 0;
    std::chrono::nanoseconds took{};
};

struct RouteStats {
    std::array<Tally, 5> by_class;                 // 1xx to 5xx
    std::array<Tally, problem_count> by_error;     // by place_of
    std::array<Tally, timing_bounds + 1> latency;  // by short_times
    Tally latency_sum_ns;
    Exemplars traced;
    Tally in_flight;
    Tally response_bytes;

    void finish(const Answered& answered);
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
