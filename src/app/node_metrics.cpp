#include "app/node_metrics.hpp"

#include <prometheus/metric_family.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "app/version.hpp"
#include "engine/pool.hpp"
#include "service/stack_keeper.hpp"
#include "worker/worker.hpp"

namespace tessera::app {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

struct Sample {
    std::vector<ClientMetric::Label> labels;
    double value = 0;
};

MetricFamily family(MetricType type, const std::string& name, const std::string& help,
                    const std::vector<Sample>& samples) {
    MetricFamily made{.name = name, .help = help, .type = type, .metric = {}};
    for (const Sample& sample : samples) {
        ClientMetric metric;
        metric.label = sample.labels;
        if (type == MetricType::Counter) {
            metric.counter.value = sample.value;
        } else {
            metric.gauge.value = sample.value;
        }
        made.metric.push_back(std::move(metric));
    }
    return made;
}

Sample labelled(const std::string& label, const std::string& text, double value) {
    return {{{label, text}}, value};
}

std::vector<Sample> counts(const std::string& label,
                           std::initializer_list<std::pair<const char*, std::uint64_t>> values) {
    std::vector<Sample> samples;
    for (const auto& [name, value] : values) samples.push_back(labelled(label, name, static_cast<double>(value)));
    return samples;
}

}  // namespace

std::vector<MetricFamily> NodeMetrics::Collect() const {
    std::vector<MetricFamily> all;
    all.push_back(family(MetricType::Gauge, "tessera_build_info", "The version that runs; always 1.",
                         {labelled("version", version, 1)}));

    const engine::PoolCounters engines = engines_.counters();
    all.push_back(family(MetricType::Counter, "tessera_engine_events_total",
                         "Engines started, replaced, crashed and killed.",
                         counts("event", {{"spawned", engines.spawned},
                                          {"recycled", engines.recycled},
                                          {"crashed", engines.crashed},
                                          {"killed", engines.killed}})));
    all.push_back(family(MetricType::Counter, "tessera_engine_tasks_total",
                         "Tasks that engines have ended, well or not.",
                         counts("kind", {{"job", engines.tasks}, {"probe", engines.probes}})));
    all.push_back(family(MetricType::Gauge, "tessera_engines", "Engines alive, busy, and callers that wait for one.",
                         {labelled("state", "alive", static_cast<double>(engines.engines)),
                          labelled("state", "busy", static_cast<double>(engines.busy)),
                          labelled("state", "waited_for", static_cast<double>(engines.waiting))}));

    std::vector<Sample> protections;
    for (const engine::Protection& protection : engines_.protections()) {
        protections.push_back(labelled("protection", protection.name, protection.in_force ? 1 : 0));
    }
    all.push_back(family(MetricType::Gauge, "tessera_sandbox_protection",
                         "1 where this part of the sandbox is in force.", protections));

    if (worker_ != nullptr) {
        const worker::WorkerCounters jobs = worker_->counters();
        all.push_back(family(MetricType::Counter, "tessera_worker_attempts_total",
                             "Attempts at jobs by how they ended.",
                             counts("end", {{"succeeded", jobs.succeeded},
                                            {"failed", jobs.failed},
                                            {"retried", jobs.retried},
                                            {"handed_back", jobs.handed_back},
                                            {"lost", jobs.lost}})));
        all.push_back(family(MetricType::Gauge, "tessera_worker_jobs", "Jobs in this worker's hands.",
                             {{{}, static_cast<double>(jobs.in_hand)}}));
    }
    if (stacks_ != nullptr) {
        const service::FoldCounters folds = stacks_->counters();
        all.push_back(family(
            MetricType::Counter, "tessera_tileset_folds_total", "Folds of long stacks of archives by how they ended.",
            counts("end", {{"folded", folds.folded}, {"overtaken", folds.overtaken}, {"failed", folds.failed}})));
        all.push_back(family(MetricType::Counter, "tessera_tileset_fold_bytes_total", "Bytes that folds have written.",
                             {{{}, static_cast<double>(folds.bytes)}}));
    }
    return all;
}

}  // namespace tessera::app
