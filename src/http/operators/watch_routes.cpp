#include "http/operators/watch_routes.hpp"

#include <utility>

#include "http/api/list_query.hpp"
#include "http/operators/route.hpp"
#include "service/operators/desk.hpp"

namespace tessera::http {
namespace {

using service::Shown;
using service::WatchDesk;

Route watch_route(Method method, std::string_view path, std::string operation_id, std::string summary, std::string tag,
                  Answer answer, OperatorWork work) {
    Route route = operator_route(method, path, std::move(operation_id), std::move(summary), std::move(tag));
    route.answers = {std::move(answer)};
    route.failures = {503};
    if (route.pattern.find("{id}") != std::string::npos) route.failures = {400, 404, 503};
    route.handler = answered_by(std::move(work));
    return route;
}

Result<Shown> endpoints(WatchDesk& desk, const Request& request) {
    const auto query = ListQuery::parse(request, {"account_id"});
    if (!query) return query.error();
    return desk.endpoints(query->get("account_id"));
}

Result<Shown> deliveries(WatchDesk& desk, const Request& request) {
    const auto query = ListQuery::parse(request, {"limit", "cursor", "account_id", "endpoint_id", "state"});
    if (!query) return query.error();
    return desk.deliveries({.page = {query->get("limit"), query->get("cursor")},
                            .account_id = query->get("account_id"),
                            .endpoint_id = query->get("endpoint_id"),
                            .state = query->get("state")});
}

Result<Shown> audit(WatchDesk& desk, const Request& request) {
    const auto query = ListQuery::parse(request, {"limit", "cursor", "account_id"});
    if (!query) return query.error();
    return desk.audit({query->get("limit"), query->get("cursor")}, query->get("account_id"));
}

Route with_query(Route route, std::vector<std::string> parameters) {
    route.parameters = std::move(parameters);
    route.failures.push_back(400);
    return route;
}

Route with_conflict(Route route) {
    route.failures.push_back(409);
    return route;
}

}  // namespace

std::vector<Route> watch_routes(WatchDesk& desk) {
    const std::string tag = "webhooks";
    const auto id = [](const Request& request) { return request.parameter("id"); };
    std::vector<Route> routes;
    routes.push_back(watch_route(Method::get, "/overview", "getOverview", "Read how the whole service is doing",
                                 "overview", {200, "Queue, nodes, storage and today", "Overview"},
                                 [&desk](const Request&) { return desk.overview(); }));
    routes.push_back(with_query(
        watch_route(Method::get, "/webhook-endpoints", "listEndpoints", "List the endpoints that are told of jobs", tag,
                    {200, "All of them, or an account's", "EndpointList"},
                    [&desk](const Request& request) { return endpoints(desk, request); }),
        {"account_id"}));
    routes.push_back(watch_route(Method::post, "/webhook-endpoints/{id}/enable", "enableEndpoint",
                                 "Let an endpoint be told again", tag, {200, "The endpoint as it is now", "Endpoint"},
                                 [&desk, id](const Request& request) { return desk.enable_endpoint(id(request)); }));
    routes.push_back(watch_route(Method::post, "/webhook-endpoints/{id}/disable", "disableEndpoint",
                                 "Tell an endpoint nothing more", tag, {200, "The endpoint as it is now", "Endpoint"},
                                 [&desk, id](const Request& request) { return desk.disable_endpoint(id(request)); }));
    routes.push_back(with_query(
        watch_route(Method::get, "/webhook-deliveries", "listDeliveries",
                    "List what was sent to endpoints, newest first", tag, {200, "A page of deliveries", "DeliveryList"},
                    [&desk](const Request& request) { return deliveries(desk, request); }),
        {"limit", "cursor", "account_id", "endpoint_id", "state:deliveries"}));
    routes.push_back(watch_route(Method::get, "/webhook-deliveries/{id}", "getDelivery",
                                 "Read a delivery with the log of its attempts", tag,
                                 {200, "The delivery", "DeliveryWithLog"},
                                 [&desk, id](const Request& request) { return desk.delivery(id(request)); }));
    routes.push_back(
        with_conflict(watch_route(Method::post, "/webhook-deliveries/{id}/replay", "replayDelivery",
                                  "Send a delivery again", tag, {200, "The delivery as it is now", "Delivery"},
                                  [&desk, id](const Request& request) { return desk.replay(id(request)); })));
    routes.push_back(
        with_query(watch_route(Method::get, "/audit", "listAudit", "List who did what and when, newest first", "audit",
                               {200, "A page of the trail", "AuditPage"},
                               [&desk](const Request& request) { return audit(desk, request); }),
                   {"limit", "cursor", "account_id"}));
    routes.push_back(watch_route(Method::get, "/configuration", "getConfiguration",
                                 "Read the settings in force; the values of secrets are hidden", "configuration",
                                 {200, "Every setting", "Configuration"},
                                 [&desk](const Request&) { return desk.configuration(); }));
    return routes;
}

}  // namespace tessera::http
