#include "core/meters.hpp"

#include <algorithm>

namespace tessera {

std::size_t meter_stripe() {
    static std::atomic<std::size_t> dealt{0};
    thread_local const std::size_t stripe = dealt.fetch_add(1, std::memory_order_relaxed) % meter_stripes;
    return stripe;
}

std::uint64_t Counter::get() const {
    std::uint64_t total = 0;
    for (const Stripe& stripe : stripes_) total += stripe.value.load(std::memory_order_relaxed);
    return total;
}

void Timing::note(std::chrono::nanoseconds took) {
    const std::int64_t nanoseconds = std::max<std::int64_t>(0, took.count());
    const auto bucket = std::ranges::lower_bound(*bounds_, static_cast<double>(nanoseconds) / 1e9);
    Stripe& stripe = stripes_[meter_stripe()];
    stripe.counts[static_cast<std::size_t>(bucket - bounds_->begin())].fetch_add(1, std::memory_order_relaxed);
    stripe.sum_ns.fetch_add(static_cast<std::uint64_t>(nanoseconds), std::memory_order_relaxed);
}

Timing::Reading Timing::read() const {
    Reading reading;
    reading.bounds = bounds_;
    for (const Stripe& stripe : stripes_) {
        for (std::size_t i = 0; i < reading.counts.size(); ++i) {
            reading.counts[i] += stripe.counts[i].load(std::memory_order_relaxed);
        }
        reading.sum_s += static_cast<double>(stripe.sum_ns.load(std::memory_order_relaxed)) / 1e9;
    }
    return reading;
}

}  // namespace tessera
