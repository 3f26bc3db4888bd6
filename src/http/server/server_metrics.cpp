#include "http/server/server_metrics.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "http/metrics/metric_table.hpp"
#include "http/server/loop.hpp"

namespace tessera::http {
namespace {

using prometheus::MetricFamily;
using Loops = std::vector<std::shared_ptr<const LoopStats>>;

constexpr std::array<const char*, 5> status_classes = {"1xx", "2xx", "3xx", "4xx", "5xx"};
// Of a route that was asked these are shown from 0 on: the first failure is an increase too.
constexpr std::array<bool, 5> begins_at_0 = {false, true, false, true, true};

std::uint64_t sum(const Loops& loops, const std::function<const Tally&(const LoopStats&)>& pick) {
    std::uint64_t total = 0;
    for (const auto& loop : loops) total += pick(*loop).get();
    return total;
}

// One route's numbers, summed over the loops.
class RouteSums {
  public:
    RouteSums(const Loops& loops, std::size_t route) : loops_(loops), route_(route) {}

    [[nodiscard]] double of(const std::function<const Tally&(const RouteStats&)>& pick) const {
        return static_cast<double>(count(pick));
    }
    [[nodiscard]] Timing::Reading latency() const {
        Timing::Reading reading;
        reading.bounds = &short_times;
        for (std::size_t i = 0; i < reading.counts.size(); ++i) {
            reading.counts[i] = count([&](const RouteStats& stats) -> const Tally& { return stats.latency[i]; });
        }
        reading.sum_s = of([](const RouteStats& stats) -> const Tally& { return stats.latency_sum_ns; }) / 1e9;
        return reading;
    }
    [[nodiscard]] Exemplars::Buckets exemplars() const {
        Exemplars::Buckets buckets;
        for (const auto& loop : loops_) loop->by_route[route_].traced.merge_into(buckets);
        return buckets;
    }

  private:
    [[nodiscard]] std::uint64_t count(const std::function<const Tally&(const RouteStats&)>& pick) const {
        return sum(loops_, [&](const LoopStats& loop) -> const Tally& { return pick(loop.by_route[route_]); });
    }

    const Loops& loops_;
    std::size_t route_;
};

// The families that have a line, or more, for each route.
struct RouteFamilies {
    MetricSet requests{Metric::http_requests};
    MetricSet duration{Metric::http_request_duration};
    MetricSet in_flight{Metric::http_requests_in_flight};
    MetricSet bytes{Metric::http_response_bytes};
    MetricSet refusals{Metric::http_refusals};

    void add(const RouteSums& sums, const MetricLabels& labels) {
        std::array<double, status_classes.size()> counts{};
        for (std::size_t i = 0; i < counts.size(); ++i)
            counts[i] = sums.of([&](const RouteStats& stats) -> const Tally& { return stats.by_class[i]; });
        const bool asked = std::ranges::any_of(counts, [](double count) { return count > 0; });
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] > 0 || (asked && begins_at_0[i]))
                requests.add(with(labels, "status", status_classes[i]), counts[i]);
        }
        for (std::size_t i = 0; i < problem_count; ++i) {
            const double count = sums.of([&](const RouteStats& stats) -> const Tally& { return stats.by_error[i]; });
            const ErrorCode code = problems()[i].code;
            if (count > 0) refusals.add(with(labels, "code", std::string(to_string(code))), count);
        }
        duration.add(labels, sums.latency());
        in_flight.add(labels, sums.of([](const RouteStats& stats) -> const Tally& { return stats.in_flight; }));
        bytes.add(labels, sums.of([](const RouteStats& stats) -> const Tally& { return stats.response_bytes; }));
    }

  private:
    static MetricLabels with(MetricLabels labels, const char* name, std::string value) {
        labels.push_back({name, std::move(value)});
        return labels;
    }
};

void for_each_route(const Common& common, const std::function<void(std::size_t, const MetricLabels&)>& call) {
    for (const Site* site : {common.site.get(), common.admin_site.get(), common.operator_site.get()}) {
        for (const Route& route : site->router.routes()) {
            call(site->stats_begin + site->router.index_of(route),
                 {{"method", std::string(to_string(route.method))}, {"route", route.pattern}});
        }
    }
    call(common.unrouted_stats(), {{"method", "any"}, {"route", "none"}});
}

}  // namespace

ServerMetrics::ServerMetrics(const Common& common) : common_(&common) {}

void ServerMetrics::add(std::shared_ptr<const LoopStats> loop) {
    const std::lock_guard lock(mutex_);
    loops_.push_back(std::move(loop));
}

void ServerMetrics::detach() {
    const std::lock_guard lock(mutex_);
    common_ = nullptr;
    loops_.clear();
}

std::vector<MetricFamily> ServerMetrics::Collect() const {
    const std::lock_guard lock(mutex_);
    if (common_ == nullptr) return {};
    RouteFamilies routes;
    for_each_route(*common_, [&](std::size_t route, const MetricLabels& labels) {
        routes.add({loops_, route}, labels);
    });

    std::vector<MetricFamily> all;
    for (MetricSet* set : {&routes.requests, &routes.duration, &routes.in_flight, &routes.bytes, &routes.refusals}) {
        all.push_back(set->take());
    }
    const auto add_total = [&](Metric metric, Tally LoopStats::*member) {
        const auto total = sum(loops_, [&](const LoopStats& loop) -> const Tally& { return loop.*member; });
        all.push_back(MetricSet(metric).add(static_cast<double>(total)).take());
    };
    add_total(Metric::http_connections_open, &LoopStats::connections_open);
    add_total(Metric::http_connections_accepted, &LoopStats::connections_accepted);
    add_total(Metric::http_connections_refused, &LoopStats::connections_refused);
    add_total(Metric::http_timeouts, &LoopStats::timeouts);
    add_total(Metric::http_bad_requests, &LoopStats::bad_requests);
    add_total(Metric::http_overloaded, &LoopStats::overloaded);
    const auto busy = static_cast<double>(common_->pool->busy());
    const auto waiting = static_cast<double>(common_->pool->waiting());
    all.push_back(MetricSet(Metric::http_blocking_threads_busy).add(busy).take());
    all.push_back(MetricSet(Metric::http_blocking_queue_length).add(waiting).take());
    return all;
}

std::vector<SeriesExemplars> ServerMetrics::exemplars() const {
    std::vector<SeriesExemplars> all;
    const std::lock_guard lock(mutex_);
    if (common_ == nullptr || common_->tracer == nullptr) return all;
    for_each_route(*common_, [&](std::size_t route, const MetricLabels& labels) {
        add_exemplars(all, {Metric::http_request_duration, labels, RouteSums(loops_, route).exemplars()});
    });
    return all;
}

}  // namespace tessera::http
