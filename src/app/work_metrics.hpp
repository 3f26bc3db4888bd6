// The numbers of jobs, workers and engines, for /metrics; and what NodeMetrics makes families with.
#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "http/metrics/exemplar_source.hpp"
#include "http/metrics/metric_table.hpp"

namespace tessera::engine {
class Pool;
}
namespace tessera::service {
class JobService;
}
namespace tessera::worker {
class Worker;
}

namespace tessera::app {

using Families = std::vector<prometheus::MetricFamily>;

void add(Families& to, http::Metric metric, double value);
// A family with one label.
void add(Families& to, http::Metric metric, const char* label,
         std::initializer_list<std::pair<const char*, std::uint64_t>> values);

void add_engines(Families& to, const engine::Pool& pool);
void add_worker(Families& to, const worker::Worker& worker);
void add_accepted(Families& to, const service::JobService& service);

// Traces of jobs, by their duration.
std::vector<http::SeriesExemplars> job_exemplars(const worker::Worker& worker);

}  // namespace tessera::app
