#include "app/work_metrics.hpp"

#include <atomic>
#include <string>

#include "engine/host/pool.hpp"
#include "engine/host/task_outcomes.hpp"
#include "service/jobs/job_service.hpp"
#include "worker/worker.hpp"

namespace tessera::app {

using http::Metric;
using http::MetricSet;

namespace {

void add_outcomes(Families& to, const engine::TaskOutcomes& outcomes) {
    MetricSet set(Metric::engine_outcomes);
    for (const engine::TaskOutcomes::Work& work : outcomes.all()) {
        const auto show = [&](std::string_view outcome, const std::atomic<std::uint64_t>& count) {
            set.add({{"work", work.name}, {"outcome", std::string(outcome)}}, static_cast<double>(count.load()));
        };
        show(engine::TaskOutcomes::ok, work.ok);
        show(engine::TaskOutcomes::stopped, work.stopped);
        show(engine::TaskOutcomes::overloaded, work.overloaded);
        for (const JobErrorKind& kind : job_error_kinds())
            show(kind.name, work.failed[static_cast<std::size_t>(kind.code)]);
    }
    to.push_back(set.take());
}

// From 0 on, so that the first failure of its kind is an increase too.
void add_by_error(MetricSet& set, const std::string& operation, const worker::JobMeters::ByErrorCode& counts) {
    for (const JobErrorKind& kind : job_error_kinds()) {
        const auto count = counts[static_cast<std::size_t>(kind.code)].load(std::memory_order_relaxed);
        set.add({{"operation", operation}, {"error_code", std::string(kind.name)}}, static_cast<double>(count));
    }
}

void add_jobs(Families& to, const worker::JobMeters& meters) {
    MetricSet succeeded(Metric::jobs_succeeded);
    MetricSet failed(Metric::jobs_failed);
    MetricSet retried(Metric::job_retries);
    MetricSet duration(Metric::job_duration_seconds);
    MetricSet in_engine(Metric::job_engine_seconds);
    MetricSet returned(Metric::credits_returned);
    for (const worker::JobMeters::Operation& of : meters.operations()) {
        const http::MetricLabels labels = {{"operation", of.name}};
        succeeded.add(labels, static_cast<double>(of.succeeded.get()));
        add_by_error(failed, of.name, of.failed);
        add_by_error(retried, of.name, of.retried);
        duration.add(labels, of.duration.read());
        in_engine.add(labels, of.in_engine.read());
        returned.add(labels, static_cast<double>(of.credits_returned.get()));
    }
    for (MetricSet* set : {&succeeded, &failed, &retried, &duration, &in_engine, &returned}) to.push_back(set->take());
    to.push_back(MetricSet(Metric::job_wait_seconds)
                     .add({{"lane", "light"}}, meters.light_wait.read())
                     .add({{"lane", "heavy"}}, meters.heavy_wait.read())
                     .take());
}

}  // namespace

void add(Families& to, Metric metric, double value) {
    to.push_back(MetricSet(metric).add(value).take());
}

void add(Families& to, Metric metric, const char* label,
         std::initializer_list<std::pair<const char*, std::uint64_t>> values) {
    MetricSet set(metric);
    for (const auto& [name, value] : values) set.add({{label, name}}, static_cast<double>(value));
    to.push_back(set.take());
}

void add_engines(Families& to, const engine::Pool& pool) {
    const engine::PoolCounters engines = pool.counters();
    add(to, Metric::engine_events, "event",
        {{"spawned", engines.spawned},
         {"recycled", engines.recycled},
         {"crashed", engines.crashed},
         {"killed", engines.killed}});
    add(to, Metric::engine_tasks, "kind",
        {{"job", engines.tasks}, {"probe", engines.probes}, {"preview", engines.previews}});
    add_outcomes(to, engine::TaskOutcomes::of_process());
    to.push_back(MetricSet(Metric::engines)
                     .add({{"state", "alive"}}, static_cast<double>(engines.engines))
                     .add({{"state", "busy"}}, static_cast<double>(engines.busy))
                     .add({{"state", "waited_for"}}, static_cast<double>(engines.waiting))
                     .take());
    to.push_back(MetricSet(Metric::probes)
                     .add({{"state", "running"}}, static_cast<double>(engines.probes_running))
                     .add({{"state", "waiting"}}, static_cast<double>(engines.probes_waiting))
                     .take());
    add(to, Metric::probe_oldest_wait, std::chrono::duration<double>(engines.oldest_probe).count());
    MetricSet protections(Metric::sandbox_protection);
    for (const engine::Protection& protection : pool.protections()) {
        protections.add({{"protection", protection.name}}, protection.in_force ? 1 : 0);
    }
    to.push_back(protections.take());
}

void add_worker(Families& to, const worker::Worker& worker) {
    const worker::WorkerCounters jobs = worker.counters();
    add(to, Metric::worker_attempts, "end",
        {{"succeeded", jobs.succeeded},
         {"failed", jobs.failed},
         {"retried", jobs.retried},
         {"handed_back", jobs.handed_back},
         {"lost", jobs.lost}});
    add(to, Metric::worker_jobs, static_cast<double>(jobs.in_hand));
    add(to, Metric::worker_slots, worker.slots());
    add(to, Metric::worker_paused, worker.is_paused() ? 1 : 0);
    add_jobs(to, worker.meters());
}

void add_accepted(Families& to, const service::JobService& service) {
    MetricSet jobs(Metric::jobs_accepted);
    MetricSet credits(Metric::credits_charged);
    for (const auto& of : service.accepted()) {
        jobs.add({{"operation", of.name}}, static_cast<double>(of.jobs.get()));
        credits.add({{"operation", of.name}}, static_cast<double>(of.credits.get()));
    }
    to.push_back(jobs.take());
    to.push_back(credits.take());
}

std::vector<http::SeriesExemplars> job_exemplars(const worker::Worker& worker) {
    std::vector<http::SeriesExemplars> all;
    for (const worker::JobMeters::Operation& of : worker.meters().operations()) {
        Exemplars::Buckets buckets;
        of.traced.merge_into(buckets);
        http::add_exemplars(all, {Metric::job_duration_seconds, {{"operation", of.name}}, buckets});
    }
    return all;
}

}  // namespace tessera::app
