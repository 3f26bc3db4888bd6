// For a histogram's buckets, the last trace that fell into each: what leads from a slow request to its trace. Only what
// is traced is noted, so that a lock is good enough.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "core/meters.hpp"
#include "core/trace.hpp"

namespace tessera {

struct Exemplar {
    TraceId trace_id{};
    double seconds = 0;
    std::chrono::system_clock::time_point at;
};

class Exemplars {
  public:
    using Buckets = std::array<std::optional<Exemplar>, timing_bounds + 1>;

    explicit Exemplars(const TimingBounds& bounds = short_times) : bounds_(&bounds) {}
    Exemplars(const Exemplars&) = delete;
    Exemplars& operator=(const Exemplars&) = delete;

    void note(const TraceId& trace_id, std::chrono::nanoseconds took);

    // Into each bucket what is later: there, or here.
    void merge_into(Buckets& buckets) const;

  private:
    const TimingBounds* bounds_;
    mutable std::mutex mutex_;
    std::unique_ptr<Buckets> buckets_;  // from the first one on
};

}  // namespace tessera
