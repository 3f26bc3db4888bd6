#include "app/node_reports.hpp"

#include <sys/statvfs.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include "app/stores.hpp"
#include "app/version.hpp"
#include "core/log.hpp"
#include "core/plain_numbers.hpp"
#include "engine/host/pool.hpp"
#include "http/metrics/metric_table.hpp"
#include "metadata/nodes.hpp"
#include "metadata/store.hpp"
#include "service/upkeep/stack_keeper.hpp"
#include "worker/worker.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr Millis pause = 10s;
constexpr auto rates_over = 60s;

struct HttpCounts {
    double requests = 0;
    std::map<std::string, std::uint64_t> refusals;  // by code
};

HttpCounts count_http(const prometheus::Collectable* http) {
    HttpCounts counts;
    if (http == nullptr) return counts;
    for (const prometheus::MetricFamily& family : http->Collect()) {
        const bool requests = family.name == describe(http::Metric::http_requests).name;
        if (!requests && family.name != describe(http::Metric::http_refusals).name) continue;
        for (const prometheus::ClientMetric& metric : family.metric) {
            if (requests) counts.requests += metric.counter.value;
            for (const auto& label : metric.label) {
                if (!requests && label.name == "code")
                    counts.refusals[label.value] += static_cast<std::uint64_t>(metric.counter.value);
            }
        }
    }
    return counts;
}

std::map<std::string, std::uint64_t> count_job_errors(const worker::Worker* worker) {
    std::map<std::string, std::uint64_t> counts;
    if (worker == nullptr) return counts;
    for (const worker::JobMeters::Operation& of : worker->meters().operations()) {
        for (const JobErrorKind& kind : job_error_kinds()) {
            const auto count = of.failed[static_cast<std::size_t>(kind.code)].load(std::memory_order_relaxed);
            if (count > 0) counts[std::string(kind.name)] += count;
        }
    }
    return counts;
}

json::array by_code(const std::map<std::string, std::uint64_t>& counts) {
    json::array all;
    for (const auto& [code, count] : counts) all.push_back(json::object{{"code", code}, {"count", count}});
    return all;
}

json::array disks_of(const Node& node) {
    json::array all;
    for (const DiskFolder& folder : disk_folders(node.config, node.folder)) {
        struct statvfs disk {};
        if (::statvfs(folder.path.c_str(), &disk) != 0) continue;
        const std::uint64_t block = disk.f_frsize;
        all.push_back(json::object{
            {"folder", folder.name}, {"free_bytes", disk.f_bavail * block}, {"size_bytes", disk.f_blocks * block}});
    }
    return all;
}

std::string_view name_of(NodeRole role) {
    switch (role) {
        case NodeRole::api: return "api";
        case NodeRole::worker: return "worker";
        case NodeRole::both: return "both";
    }
    return "both";
}

}  // namespace

NodeReports::NodeReports(const Node& node, NodeRole role, std::shared_ptr<prometheus::Collectable> http)
    : node_(node), role_(role), http_(std::move(http)), started_at_(node.clock.now()) {}

void NodeReports::start() {
    thread_.start("node-reports", Millis(0), [this](const std::stop_token&) -> PeriodicThread::Rest {
        say();
        return pause;
    });
}

void NodeReports::stop() {
    if (!thread_.stop()) return;
    if (const auto left = node_.store->nodes().leave(node_.scratch.name()); !left)
        log::info("node_report_failed", {{"detail", left.error().detail}});
}

void NodeReports::say() {
    const auto said = node_.store->nodes().say({.name = node_.scratch.name(),
                                                .role = std::string(name_of(role_)),
                                                .version = version,
                                                .started_at = started_at_,
                                                .report = report()});
    if (!said) log::info("node_report_failed", {{"detail", said.error().detail}});
}

std::string NodeReports::report() {
    const HttpCounts http = count_http(http_.get());
    const engine::PoolCounters engines = node_.engines->counters();
    const worker::WorkerCounters jobs = node_.worker ? node_.worker->counters() : worker::WorkerCounters{};
    const service::FoldCounters folds = node_.stacks ? node_.stacks->counters() : service::FoldCounters{};

    const Counts now{std::chrono::steady_clock::now(), http.requests, static_cast<double>(jobs.succeeded + jobs.failed),
                     static_cast<double>(jobs.failed)};
    while (!counts_.empty() && now.at - counts_.front().at > rates_over) counts_.pop_front();
    const Counts before = counts_.empty() ? now : counts_.front();
    counts_.push_back(now);
    const double seconds = std::chrono::duration<double>(now.at - before.at).count();
    const auto rate = [&](double Counts::*of) { return seconds > 0 ? (now.*of - before.*of) / seconds : 0.0; };

    return with_plain_numbers(
        json::serialize(json::object{{"slots", node_.worker ? node_.worker->slots() : 0},
                                     {"jobs_in_hand", jobs.in_hand},
                                     {"engines", json::object{{"alive", engines.engines},
                                                              {"busy", engines.busy},
                                                              {"waiting", engines.waiting},
                                                              {"crashed", engines.crashed}}},
                                     {"folds", json::object{{"folded", folds.folded}, {"failed", folds.failed}}},
                                     {"rates", json::object{{"requests_per_second", rate(&Counts::requests)},
                                                            {"jobs_per_minute", 60 * rate(&Counts::ended)},
                                                            {"failures_per_minute", 60 * rate(&Counts::failed)}}},
                                     {"disks", disks_of(node_)},
                                     {"errors", by_code(http.refusals)},
                                     {"job_errors", by_code(count_job_errors(node_.worker.get()))}}));
}

}  // namespace tessera::app
