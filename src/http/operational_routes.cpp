#include "http/operational_routes.hpp"

#include <utility>

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
    return route;
}

}  // namespace

std::vector<Route> operational_routes(std::shared_ptr<const ReadinessWatch> readiness,
                                      std::shared_ptr<const MetricsPage> metrics) {
    Route alive = operational("/healthz", "getHealth", "Tell that the process is alive");
    alive.answers = {{200, "It is", "Health"}};
    alive.handler = on_loop([](const Request&) { return uncached(Response::json("{\"status\":\"ok\"}")); });

    Route ready = operational("/readyz", "getReadiness", "Tell whether database, blobs and engine answer");
    ready.answers = {{200, "All do", "Readiness"}, {503, "Some do not, or the node is draining", "Readiness"}};
    ready.handler = on_loop([readiness = std::move(readiness)](const Request&) {
        ReadinessWatch::Report report = readiness->report();
        return uncached(Response::json(std::move(report.json), report.ready ? 200 : 503));
    });

    Route numbers = operational("/metrics", "getMetrics", "Read the metrics of this node, in Prometheus' text format");
    numbers.answers = {{200, "The metrics", "", {"text/plain"}}};
    numbers.handler = on_loop([metrics = std::move(metrics)](const Request&) {
        return uncached(Response::bytes("text/plain; version=0.0.4; charset=utf-8", metrics->text()));
    });

    std::vector<Route> routes;
    routes.push_back(std::move(alive));
    routes.push_back(std::move(ready));
    routes.push_back(std::move(numbers));
    return routes;
}

}  // namespace tessera::http
