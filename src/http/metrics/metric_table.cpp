#include "http/metrics/metric_table.hpp"

#include <array>
#include <limits>
#include <utility>

namespace tessera::http {
namespace {

using enum MetricScope;
using prometheus::MetricType;
constexpr auto counter = MetricType::Counter;
constexpr auto gauge = MetricType::Gauge;
constexpr auto histogram = MetricType::Histogram;

constexpr std::array table = std::to_array<MetricInfo>({
    {Metric::http_requests, "tessera_http_requests_total", counter, node,
     "`method`, `route` (its pattern; `none` without one), `status` (`1xx` to `5xx`)", "Requests answered."},
    {Metric::http_request_duration, "tessera_http_request_duration_seconds", histogram, node, "`method`, `route`",
     "From a request's head to its response's last byte."},
    {Metric::http_requests_in_flight, "tessera_http_requests_in_flight", gauge, node, "`method`, `route`",
     "Requests being answered."},
    {Metric::http_response_bytes, "tessera_http_response_bytes_total", counter, node, "`method`, `route`",
     "Bytes of response bodies."},
    {Metric::http_refusals, "tessera_http_refusals_total", counter, node, "`method`, `route`, `code` (of the error)",
     "Requests answered with an error, by its code."},
    {Metric::http_connections_open, "tessera_http_connections_open", gauge, node, "", "Open connections."},
    {Metric::http_connections_accepted, "tessera_http_connections_accepted_total", counter, node, "",
     "Connections accepted."},
    {Metric::http_connections_refused, "tessera_http_connections_refused_total", counter, node, "",
     "Connections turned away because there were too many."},
    {Metric::http_timeouts, "tessera_http_timeouts_total", counter, node, "",
     "Requests and responses given up because the client was too slow."},
    {Metric::http_bad_requests, "tessera_http_bad_requests_total", counter, node, "",
     "Requests refused before they had a route."},
    {Metric::http_overloaded, "tessera_http_overloaded_total", counter, node, "",
     "Requests refused because too many waited for a thread."},
    {Metric::http_blocking_threads_busy, "tessera_http_blocking_threads_busy", gauge, node, "",
     "Threads that run blocking handlers."},
    {Metric::http_blocking_queue_length, "tessera_http_blocking_queue_length", gauge, node, "",
     "Handlers waiting for a thread."},

    {Metric::queue_jobs, "tessera_queue_jobs", gauge, cluster, "`lane` (`light`, `heavy`)",
     "Jobs that wait for a worker and nothing else."},
    {Metric::queue_oldest_seconds, "tessera_queue_oldest_seconds", gauge, cluster, "`lane`",
     "How long ago the oldest of them was accepted; 0 where none waits."},
    {Metric::queue_blocked_jobs, "tessera_queue_blocked_jobs", gauge, cluster, "",
     "Jobs that wait for a retry or for an earlier job on their tileset."},
    {Metric::queue_running_jobs, "tessera_queue_running_jobs", gauge, cluster, "", "Jobs that some worker has."},

    {Metric::jobs_accepted, "tessera_jobs_accepted_total", counter, node, "`operation`",
     "Jobs that this node accepted; replays are not counted again."},
    {Metric::jobs_succeeded, "tessera_jobs_succeeded_total", counter, node, "`operation`", "Jobs that succeeded here."},
    {Metric::jobs_failed, "tessera_jobs_failed_total", counter, node, "`operation`, `error_code`",
     "Jobs that failed here for good."},
    {Metric::job_retries, "tessera_job_retries_total", counter, node, "`operation`, `error_code`",
     "Attempts that failed here and will be made again."},
    {Metric::job_wait_seconds, "tessera_job_wait_seconds", histogram, node, "`lane`",
     "From a job's acceptance to its first claim, of jobs that were claimed here."},
    {Metric::job_duration_seconds, "tessera_job_duration_seconds", histogram, node, "`operation`",
     "From the claim to the end, of jobs that succeeded or failed here: sources, work and results."},
    {Metric::job_engine_seconds, "tessera_job_engine_seconds", histogram, node, "`operation`",
     "Of that, the time with an engine."},
    {Metric::credits_charged, "tessera_credits_charged_total", counter, node, "`operation`",
     "Processing credits of the jobs that this node accepted."},
    {Metric::credits_returned, "tessera_credits_returned_total", counter, node, "`operation`",
     "Processing credits given back for jobs that the service failed here."},
    {Metric::worker_attempts, "tessera_worker_attempts_total", counter, node,
     "`end` (`succeeded`, `failed`, `retried`, `handed_back`, `lost`)", "Attempts at jobs by how they ended."},
    {Metric::worker_jobs, "tessera_worker_jobs", gauge, node, "", "Jobs in this worker's hands."},
    {Metric::worker_slots, "tessera_worker_slots", gauge, node, "", "Jobs that this worker runs at once."},
    {Metric::worker_paused, "tessera_worker_paused", gauge, node, "",
     "1 while this worker claims nothing because storage is away or its disk is nearly full."},
    {Metric::job_waits, "tessera_job_waits", gauge, node, "", "Requests that wait for their job to end."},
    {Metric::event_streams, "tessera_event_streams", gauge, node, "", "Event streams that are open."},

    {Metric::engine_events, "tessera_engine_events_total", counter, node,
     "`event` (`spawned`, `recycled`, `crashed`, `killed`)", "Engines started, replaced, crashed and killed."},
    {Metric::engine_tasks, "tessera_engine_tasks_total", counter, node, "`kind` (`job`, `probe`, `preview`)",
     "Tasks that engines have ended, well or not."},
    {Metric::engine_outcomes, "tessera_engine_outcomes_total", counter, node,
     "`work` (an operation, `probe`, `preview`, `cut`, `view`), `outcome` (`ok`, `stopped`, `overloaded`, or the "
     "`error_code`)",
     "Tasks given to engines by how they ended; overloaded: none had the time for it."},
    {Metric::engines, "tessera_engines", gauge, node, "`state` (`alive`, `busy`, `waited_for`)",
     "Engines alive, busy, and callers that wait for one."},
    {Metric::probes, "tessera_probes", gauge, node, "`state` (`running`, `waiting`)",
     "Probes of uploads that run, and that wait for their turn."},
    {Metric::probe_oldest_wait, "tessera_probe_oldest_wait_seconds", gauge, node, "",
     "How long the probe has waited that has waited longest."},
    {Metric::sandbox_protection, "tessera_sandbox_protection", gauge, node, "`protection`",
     "1 where this part of the sandbox is in force."},

    {Metric::stored_bytes, "tessera_stored_bytes", gauge, cluster, "",
     "Bytes of all blobs that accounts keep, as they are counted against their limits."},
    {Metric::stored_assets, "tessera_stored_assets", gauge, cluster, "", "Assets that accounts keep."},
    {Metric::disk_free_bytes, "tessera_disk_free_bytes", gauge, node, "`folder` (`data`; `blobs` where it is another)",
     "Bytes left on the disk of a folder."},
    {Metric::disk_size_bytes, "tessera_disk_size_bytes", gauge, node, "`folder`", "Size of that disk."},
    {Metric::disk_floor_bytes, "tessera_disk_floor_bytes", gauge, node, "",
     "storage.min_free_bytes: with less free, uploads are refused and no job is claimed."},
    {Metric::tileset_folds, "tessera_tileset_folds_total", counter, node, "`end` (`folded`, `overtaken`, `failed`)",
     "Folds of long stacks of archives by how they ended."},
    {Metric::tileset_fold_bytes, "tessera_tileset_fold_bytes_total", counter, node, "",
     "Bytes that folds have written."},
    {Metric::tileset_fold_seconds, "tessera_tileset_fold_seconds", histogram, node, "", "Time that a fold took."},
    {Metric::sweeper_removed, "tessera_sweeper_removed_total", counter, node,
     "`what` (`rows`, `jobs`, `blobs`, `unfinished`)",
     "What this node's sweeps have removed because its time was over."},
    {Metric::sweeper_failures, "tessera_sweeper_failures_total", counter, node, "", "Sweeps that were given up here."},
    {Metric::sweeper_last_success, "tessera_sweeper_last_success_timestamp_seconds", gauge, node, "",
     "When a sweep last ended well here, in Unix time; 0 where none did: one node at a time sweeps."},

    {Metric::webhook_attempts, "tessera_webhook_attempts_total", counter, node,
     "`outcome` (`delivered`, `http_status`, `redirect`, `timeout`, `address_refused`, `name_not_resolved`, "
     "`connection_failed`, `tls_failed`, `bad_response`)",
     "Attempts to send a webhook by how they ended."},
    {Metric::webhook_attempt_seconds, "tessera_webhook_attempt_seconds", histogram, node, "", "Time that one took."},
    {Metric::webhook_deliveries, "tessera_webhook_deliveries_total", counter, node, "`end` (`delivered`, `failed`)",
     "Deliveries that ended here: at their endpoint, or given up."},
    {Metric::webhook_endpoints_disabled, "tessera_webhook_endpoints_disabled_total", counter, node,
     "`reason` (`gone`, `failing`)", "Endpoints that this node switched off."},
    {Metric::webhook_pending, "tessera_webhook_pending", gauge, cluster, "",
     "Deliveries to active endpoints that wait for their first or next attempt."},
    {Metric::webhook_oldest_pending_seconds, "tessera_webhook_oldest_pending_seconds", gauge, cluster, "",
     "How long ago the oldest of them was made; 0 where none waits."},
    {Metric::webhook_overdue, "tessera_webhook_overdue", gauge, cluster, "",
     "Those of them whose time has come and that no node sends, though nothing of their account is on its way."},
    {Metric::webhook_oldest_overdue_seconds, "tessera_webhook_oldest_overdue_seconds", gauge, cluster, "",
     "How long ago the first of those could have been sent; 0 where there is none."},
    {Metric::webhook_endpoints, "tessera_webhook_endpoints", gauge, cluster, "`status` (`active`, `disabled`)",
     "Endpoints of all accounts."},

    {Metric::trace_spans, "tessera_trace_spans_total", counter, node,
     "`end` (`sent`; `queue_full`, `refused`, `given_up`: dropped)", "Spans of traces by what became of them."},

    {Metric::database_call_seconds, "tessera_database_call_seconds", histogram, node, "`kind` (`read`, `write`)",
     "Calls to the database as their callers see them, with the wait for a connection and the sync."},
    {Metric::database_failures, "tessera_database_failures_total", counter, node, "",
     "Calls that the database did not answer or could not carry out."},
    {Metric::s3_request_seconds, "tessera_s3_request_seconds", histogram, node, "`method`",
     "Requests to the S3 store, each attempt by itself. Empty without S3."},
    {Metric::s3_failures, "tessera_s3_failures_total", counter, node, "`reason` (`unanswered`, `turned_away`)",
     "Attempts that got no answer, or a 5xx, 408 or 429. Empty without S3."},
    {Metric::cache_hits, "tessera_cache_hits_total", counter, node,
     "`cache` (`tiles`; with S3 `s3_memory`, `s3_disk`, `s3_objects`)",
     "What was found in a cache. Not counted where counting would cost more than the look."},
    {Metric::cache_misses, "tessera_cache_misses_total", counter, node, "`cache` (those, and `keys`, `tilesets`)",
     "What was not, and had to be fetched or made."},
    {Metric::cache_bytes, "tessera_cache_bytes", gauge, node, "`cache` (as for hits)", "Bytes in a cache."},
    {Metric::cache_entries, "tessera_cache_entries", gauge, node, "`cache` (`keys`, `tilesets`)",
     "Keys that are known, and tileset versions that are open."},

    {Metric::build_info, "tessera_build_info", gauge, node, "`version`", "The version that runs; always 1."},
    {Metric::ready, "tessera_ready", gauge, node, "`part` (`database`, `blobs`, `engine`)",
     "1 where the part answers, as /readyz says."},
    {Metric::log_lines_dropped, "tessera_log_lines_dropped_total", counter, node, "",
     "Log lines lost because whoever reads the log was too slow."},
    {Metric::process_cpu_seconds, "process_cpu_seconds_total", counter, node, "",
     "Processor time of this process, without its engines."},
    {Metric::process_resident_bytes, "process_resident_memory_bytes", gauge, node, "",
     "Resident memory of this process, without its engines."},
    {Metric::process_virtual_bytes, "process_virtual_memory_bytes", gauge, node, "", "Its virtual memory."},
    {Metric::process_open_fds, "process_open_fds", gauge, node, "", "Its open file descriptors."},
    {Metric::process_max_fds, "process_max_fds", gauge, node, "", "How many it may have."},
    {Metric::process_start_time, "process_start_time_seconds", gauge, node, "", "When it was started, in Unix time."},
});

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table[i].metric) != i) return false;
    }
    return table.back().metric == Metric::process_start_time;
}
static_assert(is_in_order(), "a row for each metric, in the order of the enumeration");

}  // namespace

std::span<const MetricInfo> metric_table() {
    return table;
}

const MetricInfo& describe(Metric metric) {
    return table[static_cast<std::size_t>(metric)];
}

MetricSet::MetricSet(Metric metric) {
    const MetricInfo& info = describe(metric);
    family_.name = info.name;
    family_.help = info.help;
    family_.type = info.type;
}

MetricSet& MetricSet::add(MetricLabels labels, double value) {
    prometheus::ClientMetric metric;
    metric.label = std::move(labels);
    (family_.type == MetricType::Gauge ? metric.gauge.value : metric.counter.value) = value;
    family_.metric.push_back(std::move(metric));
    return *this;
}

MetricSet& MetricSet::add(MetricLabels labels, const Timing::Reading& reading) {
    prometheus::ClientMetric metric;
    metric.label = std::move(labels);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < reading.counts.size(); ++i) {
        seen += reading.counts[i];
        prometheus::ClientMetric::Bucket bucket;
        bucket.cumulative_count = seen;
        bucket.upper_bound =
            i < reading.bounds->size() ? (*reading.bounds)[i] : std::numeric_limits<double>::infinity();
        metric.histogram.bucket.push_back(bucket);
    }
    metric.histogram.sample_count = seen;
    metric.histogram.sample_sum = reading.sum_s;
    family_.metric.push_back(std::move(metric));
    return *this;
}

}  // namespace tessera::http
