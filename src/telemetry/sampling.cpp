#include "telemetry/sampling.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <ctime>

#include "core/random.hpp"

namespace tessera::telemetry {
namespace {

constexpr double all = 4294967296.0;  // 2^32

std::uint32_t this_second() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return static_cast<std::uint32_t>(time.tv_sec);
}

}  // namespace

Sampling::Sampling(const TracesConfig& config)
    : drawn_below_(static_cast<std::uint64_t>(std::llround(config.sample_ratio * all))),
      follows_callers_(config.follow_callers),
      reads_(static_cast<std::uint32_t>(config.max_per_second)),
      makes_(static_cast<std::uint32_t>(config.max_per_second)) {}

bool Sampling::takes(std::optional<bool> wish, bool makes_something) {
    if (!(follows_callers_ && wish ? *wish : is_drawn())) return false;
    return (makes_something ? makes_ : reads_).take(this_second());
}

// Not by the trace's id: callers choose theirs.
bool Sampling::is_drawn() const {
    if (drawn_below_ == 0) return false;
    std::array<std::uint8_t, 4> bytes;
    fill_random(bytes);
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number < drawn_below_;
}

bool Sampling::Bound::take(std::uint32_t second) {
    std::uint64_t seen = taken_.load(std::memory_order_relaxed);
    while (true) {
        const std::uint32_t count = seen >> 32 == second ? static_cast<std::uint32_t>(seen) : 0;
        if (count >= most_) return false;
        const std::uint64_t next = (std::uint64_t{second} << 32) | (count + 1);
        if (taken_.compare_exchange_weak(seen, next, std::memory_order_relaxed)) return true;
    }
}

}  // namespace tessera::telemetry
