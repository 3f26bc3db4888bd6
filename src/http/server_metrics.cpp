#include "http/server_metrics.hpp"

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <array>
#include <functional>
#include <limits>
#include <string>

#include "http/loop.hpp"

namespace tessera::http {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Loops = std::vector<std::shared_ptr<const LoopStats>>;
using Labels = std::vector<ClientMetric::Label>;

constexpr std::array<const char*, 5> status_classes = {"1xx", "2xx", "3xx", "4xx", "5xx"};

std::uint64_t sum(const Loops& loops, const std::function<const Tally&(const LoopStats&)>& pick) {
    std::uint64_t total = 0;
    for (const auto& loop : loops) total += pick(*loop).get();
    return total;
}

MetricFamily family(const char* name, const char* help, MetricType type) {
    MetricFamily made;
    made.name = name;
    made.help = help;
    made.type = type;
    return made;
}

void add_value(MetricFamily& to, Labels labels, double value) {
    ClientMetric metric;
    metric.label = std::move(labels);
    (to.type == MetricType::Gauge ? metric.gauge.value : metric.counter.value) = value;
    to.metric.push_back(std::move(metric));
}

MetricFamily single(const char* name, const char* help, MetricType type, double value) {
    MetricFamily made = family(name, help, type);
    add_value(made, {}, value);
    return made;
}

ClientMetric histogram(const Loops& loops, std::size_t route, Labels labels) {
    ClientMetric metric;
    metric.label = std::move(labels);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i <= latency_bounds_s.size(); ++i) {
        seen += sum(loops, [&](const LoopStats& loop) -> const Tally& { return loop.by_route[route].latency[i]; });
        ClientMetric::Bucket bucket;
        bucket.cumulative_count = seen;
        bucket.upper_bound =
            i < latency_bounds_s.size() ? latency_bounds_s[i] : std::numeric_limits<double>::infinity();
        metric.histogram.bucket.push_back(bucket);
    }
    metric.histogram.sample_count = seen;
    metric.histogram.sample_sum =
        static_cast<double>(
            sum(loops, [&](const LoopStats& loop) -> const Tally& { return loop.by_route[route].latency_sum_ns; })) /
        1e9;
    return metric;
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
    auto requests = family("tessera_http_requests_total", "Requests answered.", MetricType::Counter);
    auto duration = family("tessera_http_request_duration_seconds",
                           "From a request's head to its response's last byte.", MetricType::Histogram);
    auto in_flight = family("tessera_http_requests_in_flight", "Requests being answered.", MetricType::Gauge);
    auto bytes = family("tessera_http_response_bytes_total", "Bytes of response bodies.", MetricType::Counter);

    const auto add_route = [&](std::size_t index, const std::string& method, const std::string& pattern) {
        const Labels labels = {{"method", method}, {"route", pattern}};
        for (std::size_t i = 0; i < status_classes.size(); ++i) {
            const auto count =
                sum(loops_, [&](const LoopStats& loop) -> const Tally& { return loop.by_route[index].by_class[i]; });
            if (count == 0) continue;
            Labels with_status = labels;
            with_status.push_back({"status", status_classes[i]});
            add_value(requests, std::move(with_status), static_cast<double>(count));
        }
        duration.metric.push_back(histogram(loops_, index, labels));
        add_value(in_flight, labels, static_cast<double>(sum(loops_, [&](const LoopStats& loop) -> const Tally& {
                      return loop.by_route[index].in_flight;
                  })));
        add_value(bytes, labels, static_cast<double>(sum(loops_, [&](const LoopStats& loop) -> const Tally& {
                      return loop.by_route[index].response_bytes;
                  })));
    };
    for (const Site* site : {common_->site.get(), common_->admin_site.get()}) {
        for (const Route& route : site->router.routes()) {
            add_route(site->stats_begin + site->router.index_of(route), std::string(to_string(route.method)),
                      route.pattern);
        }
    }
    add_route(common_->unrouted_stats(), "any", "none");

    const auto total = [&](Tally LoopStats::*member) {
        return static_cast<double>(sum(loops_, [&](const LoopStats& loop) -> const Tally& { return loop.*member; }));
    };
    std::vector<MetricFamily> all;
    all.push_back(std::move(requests));
    all.push_back(std::move(duration));
    all.push_back(std::move(in_flight));
    all.push_back(std::move(bytes));
    all.push_back(single("tessera_http_connections_open", "Open connections.", MetricType::Gauge,
                         total(&LoopStats::connections_open)));
    all.push_back(single("tessera_http_connections_accepted_total", "Connections accepted.", MetricType::Counter,
                         total(&LoopStats::connections_accepted)));
    all.push_back(single("tessera_http_connections_refused_total",
                         "Connections turned away because there were too many.", MetricType::Counter,
                         total(&LoopStats::connections_refused)));
    all.push_back(single("tessera_http_timeouts_total",
                         "Requests and responses given up because the client was too slow.", MetricType::Counter,
                         total(&LoopStats::timeouts)));
    all.push_back(single("tessera_http_bad_requests_total", "Requests refused before they had a route.",
                         MetricType::Counter, total(&LoopStats::bad_requests)));
    all.push_back(single("tessera_http_overloaded_total", "Requests refused because too many waited for a thread.",
                         MetricType::Counter, total(&LoopStats::overloaded)));
    all.push_back(single("tessera_http_blocking_threads_busy", "Threads that run blocking handlers.", MetricType::Gauge,
                         static_cast<double>(common_->pool->busy())));
    all.push_back(single("tessera_http_blocking_queue_length", "Handlers waiting for a thread.", MetricType::Gauge,
                         static_cast<double>(common_->pool->waiting())));
    return all;
}

}  // namespace tessera::http
