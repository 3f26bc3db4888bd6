#include "http/api/operational_routes.hpp"

#include <algorithm>
#include <utility>

#include "core/hash.hpp"
#include "http/api/api_gate.hpp"
#include "http/message/accept.hpp"
#include "http/message/address.hpp"
#include "http/metrics/open_metrics.hpp"

namespace tessera::http {
namespace {

Response uncached(Response response) {
    response.add("Cache-Control", "no-store");
    return response;
}

Route operational(std::string pattern, std::string operation_id, std::string summary) {
    Route route;
    route.pattern = std::move(pattern);
    route.operation_id = std::move(operation_id);
    route.summary = std::move(summary);
    route.tag = "operations";
    route.traced = false;  // asked for all day, by machines
    return route;
}

bool may_read(const MetricsReaders& readers, const Request& request) {
    if (readers.everyone || is_from_this_machine(request)) return true;
    return !readers.token.empty() && equal_in_constant_time(bearer_of(request), readers.token);
}

Error not_for_you() {
    return Error{ErrorCode::permission_denied,
                 "metrics are read on the service's own machine, with server.metrics_token or at server.admin_listen",
                 {}}
        .with_hint("send the value of server.metrics_token as 'Authorization: Bearer TOKEN'");
}

}  // namespace

bool is_from_this_machine(const Request& request) {
    constexpr std::string_view traces[] = {"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
                                           "X-Real-IP",       "Forwarded",        "Via"};
    if (!IpAddress{request.client_address}.is_loopback()) return false;
    return std::ranges::none_of(request.headers, [&](const HeaderView& header) {
        return std::ranges::any_of(traces,
                                   [&](std::string_view trace) { return equal_ignoring_case(header.name, trace); });
    });
}

std::vector<Route> operational_routes(std::shared_ptr<const ReadinessWatch> readiness,
                                      std::shared_ptr<const MetricsPage> metrics, MetricsReaders readers) {
    Route alive = operational("/healthz", "getHealth", "Tell that the process is alive");
    alive.answers = {{200, "It is", "Health", {"application/json"}, {"Cache-Control"}}};
    alive.handler = on_loop([](const Request&) { return uncached(Response::json("{\"status\":\"ok\"}")); });

    Route ready = operational("/readyz", "getReadiness", "Tell whether database, blobs and engine answer");
    ready.answers = {
        {200, "All do", "Readiness", {"application/json"}, {"Cache-Control"}},
        {503, "Some do not, or the node is draining", "Readiness", {"application/json"}, {"Cache-Control"}}};
    ready.handler = on_loop([readiness = std::move(readiness)](const Request&) {
        ReadinessWatch::Report report = readiness->report();
        return uncached(Response::json(std::move(report.json), report.ready ? 200 : 503));
    });

    Route numbers = operational("/metrics", "getMetrics",
                                "Read the metrics of this node, in Prometheus' text format or that of OpenMetrics");
    numbers.answers = {{200, "The metrics", "", {"text/plain", "application/openmetrics-text"}, {"Cache-Control"}}};
    numbers.failures = {403};
    numbers.handler = on_loop([metrics = std::move(metrics), readers = std::move(readers)](const Request& request) {
        if (!may_read(readers, request)) return Response::from(not_for_you());
        if (accepts_open_metrics(request.headers))
            return uncached(Response::bytes(open_metrics_type, metrics->open_metrics()));
        return uncached(Response::bytes("text/plain; version=0.0.4; charset=utf-8", metrics->text()));
    });

    std::vector<Route> routes;
    routes.push_back(std::move(alive));
    routes.push_back(std::move(ready));
    routes.push_back(std::move(numbers));
    return routes;
}

}  // namespace tessera::http
