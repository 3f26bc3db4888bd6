#include "http/server/stats.hpp"

#include <algorithm>

namespace tessera::http {
namespace {

constexpr auto latency_bounds_ns = [] {
    std::array<std::int64_t, timing_bounds> bounds{};
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = static_cast<std::int64_t>(short_times[i] * 1e9);
    return bounds;
}();

}  // namespace

void RouteStats::finish(const Answered& answered) {
    const std::chrono::nanoseconds took = answered.took;
    by_class[static_cast<std::size_t>(std::clamp(answered.status / 100, 1, 5) - 1)].add();
    if (answered.error_code) by_error[place_of(*answered.error_code)].add();
    const auto bucket = std::lower_bound(latency_bounds_ns.begin(), latency_bounds_ns.end(), took.count());
    latency[static_cast<std::size_t>(bucket - latency_bounds_ns.begin())].add();
    latency_sum_ns.add(static_cast<std::uint64_t>(std::max<std::int64_t>(0, took.count())));
    response_bytes.add(answered.bytes);
}

}  // namespace tessera::http
