// Every metric of /metrics, in one table: what is shown is made from it, and so is the page docs/metrics.md.
#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/meters.hpp"

namespace tessera::http {

enum class Metric : std::uint8_t {
    // Requests.
    http_requests,
    http_request_duration,
    http_requests_in_flight,
    http_response_bytes,
    http_refusals,
    http_connections_open,
    http_connections_accepted,
    http_connections_refused,
    http_timeouts,
    http_bad_requests,
    http_overloaded,
    http_blocking_threads_busy,
    http_blocking_queue_length,
    // The queue.
    queue_jobs,
    queue_oldest_seconds,
    queue_blocked_jobs,
    queue_running_jobs,
    // Jobs.
    jobs_accepted,
    jobs_succeeded,
    jobs_failed,
    job_retries,
    job_wait_seconds,
    job_duration_seconds,
    job_engine_seconds,
    credits_charged,
    credits_returned,
    worker_attempts,
    worker_jobs,
    worker_slots,
    worker_paused,
    job_waits,
    event_streams,
    // Engines.
    engine_events,
    engine_tasks,
    engine_outcomes,
    engines,
    probes,
    probe_oldest_wait,
    sandbox_protection,
    // What is kept.
    stored_bytes,
    stored_assets,
    disk_free_bytes,
    disk_size_bytes,
    disk_floor_bytes,
    tileset_folds,
    tileset_fold_bytes,
    tileset_fold_seconds,
    sweeper_removed,
    sweeper_failures,
    sweeper_last_success,
    // Webhooks.
    webhook_attempts,
    webhook_attempt_seconds,
    webhook_deliveries,
    webhook_endpoints_disabled,
    webhook_pending,
    webhook_oldest_pending_seconds,
    webhook_overdue,
    webhook_oldest_overdue_seconds,
    webhook_endpoints,
    // Traces.
    trace_spans,
    // Stores.
    database_call_seconds,
    database_failures,
    s3_request_seconds,
    s3_failures,
    cache_hits,
    cache_misses,
    cache_bytes,
    cache_entries,
    // The process.
    build_info,
    ready,
    log_lines_dropped,
    process_cpu_seconds,
    process_resident_bytes,
    process_virtual_bytes,
    process_open_fds,
    process_max_fds,
    process_start_time,
};

enum class MetricScope : std::uint8_t {
    node,     // this process's own: sum over nodes
    cluster,  // of the database, the same on every node: take one, such as with max
};

struct MetricInfo {
    Metric metric;
    std::string_view name;
    prometheus::MetricType type;
    MetricScope scope;
    std::string_view labels;  // for the page; empty: none
    std::string_view help;
};

// In the order of the enumeration.
std::span<const MetricInfo> metric_table();
const MetricInfo& describe(Metric metric);

using MetricLabels = std::vector<prometheus::ClientMetric::Label>;

// A family of the table, to be filled.
class MetricSet {
  public:
    explicit MetricSet(Metric metric);
    // Of a counter or a gauge.
    MetricSet& add(MetricLabels labels, double value);
    MetricSet& add(double value) { return add({}, value); }
    // Of a histogram.
    MetricSet& add(MetricLabels labels, const Timing::Reading& reading);
    [[nodiscard]] prometheus::MetricFamily take() { return std::move(family_); }

  private:
    prometheus::MetricFamily family_;
};

}  // namespace tessera::http
