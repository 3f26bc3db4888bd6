#include "core/exemplars.hpp"

#include <algorithm>

namespace tessera {

void Exemplars::note(const TraceId& trace_id, std::chrono::nanoseconds took) {
    const double seconds = std::max(0.0, std::chrono::duration<double>(took).count());
    const auto bucket = static_cast<std::size_t>(std::ranges::lower_bound(*bounds_, seconds) - bounds_->begin());
    const std::lock_guard lock(mutex_);
    if (!buckets_) buckets_ = std::make_unique<Buckets>();
    (*buckets_)[bucket] = Exemplar{trace_id, seconds, std::chrono::system_clock::now()};
}

void Exemplars::merge_into(Buckets& buckets) const {
    const std::lock_guard lock(mutex_);
    if (!buckets_) return;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const auto& ours = (*buckets_)[i];
        if (ours && (!buckets[i] || buckets[i]->at < ours->at)) buckets[i] = ours;
    }
}

}  // namespace tessera
