#include "app/node_metrics.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "app/api.hpp"
#include "app/node.hpp"
#include "app/stores.hpp"
#include "app/version.hpp"
#include "app/work_metrics.hpp"
#include "blobs/blob_store.hpp"
#include "http/api/readiness_watch.hpp"
#include "http/metrics/metric_table.hpp"
#include "metadata/meters.hpp"
#include "metadata/store.hpp"
#include "service/upkeep/stack_keeper.hpp"
#include "service/upkeep/sweep_meters.hpp"
#include "telemetry/tracer.hpp"
#include "webhooks/meters.hpp"

namespace tessera::app {
namespace {

using http::Metric;
using http::MetricSet;
void add_queue(Families& to, const metadata::JobCounts& jobs) {
    const auto seconds = [](const std::optional<Millis>& age) {
        return age ? std::chrono::duration<double>(*age).count() : 0.0;
    };
    to.push_back(MetricSet(Metric::queue_jobs)
                     .add({{"lane", "light"}}, static_cast<double>(jobs.light.ready))
                     .add({{"lane", "heavy"}}, static_cast<double>(jobs.heavy.ready))
                     .take());
    to.push_back(MetricSet(Metric::queue_oldest_seconds)
                     .add({{"lane", "light"}}, seconds(jobs.light.oldest))
                     .add({{"lane", "heavy"}}, seconds(jobs.heavy.oldest))
                     .take());
    const std::int64_t blocked = jobs.queued - jobs.light.ready - jobs.heavy.ready;
    add(to, Metric::queue_blocked_jobs, static_cast<double>(std::max<std::int64_t>(0, blocked)));
    add(to, Metric::queue_running_jobs, static_cast<double>(jobs.running));
}

void add_disks(Families& to, const std::vector<DiskUse>& disks) {
    MetricSet free(Metric::disk_free_bytes);
    MetricSet size(Metric::disk_size_bytes);
    for (const DiskUse& disk : disks) {
        free.add({{"folder", disk.folder}}, disk.free_bytes);
        size.add({{"folder", disk.folder}}, disk.size_bytes);
    }
    to.push_back(free.take());
    to.push_back(size.take());
}

void add_process(Families& to, const ProcessUse& use) {
    add(to, Metric::process_cpu_seconds, use.cpu_seconds);
    add(to, Metric::process_resident_bytes, use.resident_bytes);
    add(to, Metric::process_virtual_bytes, use.virtual_bytes);
    add(to, Metric::process_open_fds, use.open_fds);
    add(to, Metric::process_max_fds, use.max_fds);
    add(to, Metric::process_start_time, use.started_at);
}

void add_folds(Families& to, const service::StackKeeper& stacks) {
    const service::FoldCounters folds = stacks.counters();
    add(to, Metric::tileset_folds, "end",
        {{"folded", folds.folded}, {"overtaken", folds.overtaken}, {"failed", folds.failed}});
    add(to, Metric::tileset_fold_bytes, static_cast<double>(folds.bytes));
    to.push_back(MetricSet(Metric::tileset_fold_seconds).add({}, stacks.fold_time().read()).take());
}

void add_sweeps(Families& to, const service::SweepMeters& meters) {
    add(to, Metric::sweeper_removed, "what",
        {{"rows", meters.rows.get()},
         {"jobs", meters.jobs.get()},
         {"blobs", meters.blobs.get()},
         {"unfinished", meters.unfinished.get()}});
    add(to, Metric::sweeper_failures, static_cast<double>(meters.failures.get()));
    add(to, Metric::sweeper_last_success, static_cast<double>(meters.last_ended.load()) / 1e3);
}

void add_webhooks(Families& to, const metadata::WebhookCounts& counts) {
    const auto seconds = [](const std::optional<Millis>& age) {
        return age ? std::chrono::duration<double>(*age).count() : 0.0;
    };
    add(to, Metric::webhook_pending, static_cast<double>(counts.pending));
    add(to, Metric::webhook_oldest_pending_seconds, seconds(counts.oldest));
    add(to, Metric::webhook_overdue, static_cast<double>(counts.overdue));
    add(to, Metric::webhook_oldest_overdue_seconds, seconds(counts.longest_overdue));
    to.push_back(MetricSet(Metric::webhook_endpoints)
                     .add({{"status", "active"}}, static_cast<double>(counts.active_endpoints))
                     .add({{"status", "disabled"}}, static_cast<double>(counts.disabled_endpoints))
                     .take());
}

void add_webhooks(Families& to, const webhooks::WebhookMeters& meters) {
    MetricSet attempts(Metric::webhook_attempts);
    for (std::size_t i = 0; i < webhooks::WebhookMeters::outcomes.size(); ++i) {
        attempts.add({{"outcome", std::string(webhooks::WebhookMeters::outcomes[i])}},
                     static_cast<double>(meters.attempts[i].get()));
    }
    to.push_back(attempts.take());
    to.push_back(MetricSet(Metric::webhook_attempt_seconds).add({}, meters.duration.read()).take());
    add(to, Metric::webhook_deliveries, "end",
        {{"delivered", meters.delivered.get()}, {"failed", meters.failed.get()}});
    add(to, Metric::webhook_endpoints_disabled, "reason",
        {{"gone", meters.disabled_gone.get()}, {"failing", meters.disabled_failing.get()}});
}

// Without an endpoint the family is there, and nothing is counted.
void add_traces(Families& to, const telemetry::Tracer* tracer) {
    static const telemetry::TraceMeters none;
    const telemetry::TraceMeters& meters = tracer != nullptr ? tracer->meters() : none;
    add(to, Metric::trace_spans, "end",
        {{"sent", meters.sent.get()},
         {"queue_full", meters.queue_full.get()},
         {"refused", meters.refused.get()},
         {"given_up", meters.given_up.get()}});
}

void add_database(Families& to, const metadata::StoreMeters& meters) {
    to.push_back(MetricSet(Metric::database_call_seconds)
                     .add({{"kind", "read"}}, meters.reads.read())
                     .add({{"kind", "write"}}, meters.writes.read())
                     .take());
    add(to, Metric::database_failures, static_cast<double>(meters.failures.get()));
}

// Without S3 the families are there and empty.
void add_s3(Families& to, const blobs::RequestMeters* meters) {
    MetricSet seconds(Metric::s3_request_seconds);
    MetricSet failures(Metric::s3_failures);
    if (meters != nullptr) {
        for (std::size_t i = 0; i < blobs::RequestMeters::methods.size(); ++i) {
            seconds.add({{"method", std::string(blobs::RequestMeters::methods[i])}}, meters->durations[i].read());
        }
        failures.add({{"reason", "unanswered"}}, static_cast<double>(meters->unanswered.get()));
        failures.add({{"reason", "turned_away"}}, static_cast<double>(meters->turned_away.get()));
    }
    to.push_back(seconds.take());
    to.push_back(failures.take());
}

void add_caches(Families& to, const blobs::BlobStore& blobs, const Api* api) {
    std::vector<blobs::BlobStore::NamedCache> caches = blobs.caches();
    if (api != nullptr) caches.push_back({"tiles", &api->tiles.cache().whole_tiles()});
    MetricSet hits(Metric::cache_hits);
    MetricSet misses(Metric::cache_misses);
    MetricSet bytes(Metric::cache_bytes);
    for (const auto& [name, meter] : caches) {
        const http::MetricLabels labels = {{"cache", std::string(name)}};
        hits.add(labels, static_cast<double>(meter->hits.get()));
        misses.add(labels, static_cast<double>(meter->misses.get()));
        bytes.add(labels, static_cast<double>(meter->bytes.load(std::memory_order_relaxed)));
    }
    if (api != nullptr) {
        misses.add({{"cache", "keys"}}, static_cast<double>(api->authenticator.lookups()));
        misses.add({{"cache", "tilesets"}}, static_cast<double>(api->tilesets.openings()));
        to.push_back(MetricSet(Metric::cache_entries)
                         .add({{"cache", "keys"}}, static_cast<double>(api->authenticator.kept()))
                         .add({{"cache", "tilesets"}}, static_cast<double>(api->tilesets.open_versions()))
                         .take());
    }
    for (MetricSet* set : {&hits, &misses, &bytes}) to.push_back(set->take());
}

void add_readiness(Families& to, const http::ReadinessWatch& readiness) {
    MetricSet ready(Metric::ready);
    for (const auto& [name, ok] : readiness.checks()) ready.add({{"part", name}}, ok ? 1 : 0);
    to.push_back(ready.take());
}

}  // namespace

NodeMetrics::NodeMetrics(const Node& node, const Api* api, const http::ReadinessWatch& readiness,
                         const webhooks::WebhookMeters* webhooks)
    : node_(node),
      api_(api),
      readiness_(readiness),
      webhooks_(webhooks),
      sampler_(*node.store, disk_folders(node.config, node.folder)) {}

Families NodeMetrics::Collect() const {
    Families all;
    all.push_back(MetricSet(Metric::build_info).add({{"version", version}}, 1).take());
    add_readiness(all, readiness_);
    add(all, Metric::log_lines_dropped, static_cast<double>(node_.log.lines_dropped()));
    const Sample sample = sampler_.latest();
    if (sample.jobs) add_queue(all, *sample.jobs);
    if (sample.storage) {
        add(all, Metric::stored_bytes, static_cast<double>(sample.storage->bytes));
        add(all, Metric::stored_assets, static_cast<double>(sample.storage->assets));
    }
    add_disks(all, sample.disks);
    add(all, Metric::disk_floor_bytes, static_cast<double>(node_.config.storage.min_free_bytes));
    if (sample.process) add_process(all, *sample.process);
    add_engines(all, *node_.engines);
    if (node_.worker) add_worker(all, *node_.worker);
    if (node_.stacks) add_folds(all, *node_.stacks);
    if (api_ != nullptr) add_sweeps(all, service::sweep_meters());
    if (sample.webhooks) add_webhooks(all, *sample.webhooks);
    if (webhooks_ != nullptr) add_webhooks(all, *webhooks_);
    add_traces(all, node_.tracer.get());
    add_database(all, node_.store->meters());
    add_s3(all, node_.blobs->requests());
    add_caches(all, *node_.blobs, api_);
    if (api_ != nullptr) {
        add_accepted(all, api_->jobs);
        add(all, Metric::job_waits, static_cast<double>(api_->waits.count()));
        add(all, Metric::event_streams, static_cast<double>(api_->events.count()));
    }
    return all;
}

std::vector<http::SeriesExemplars> NodeMetrics::exemplars() const {
    return node_.worker ? job_exemplars(*node_.worker) : std::vector<http::SeriesExemplars>();
}

}  // namespace tessera::app
