#include "http/api/tileset_routes.hpp"

#include "http/api/list_query.hpp"
#include "http/api/tileset_json.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http {
namespace {

Response list(service::Tilesets& tilesets, const Request& request, const std::vector<std::string>& parameters) {
    const auto query = ListQuery::parse(request, parameters);
    if (!query) return Response::from(query.error());
    const auto listed = tilesets.list(*request.principal, {query->get("limit"), query->get("cursor")});
    if (!listed) return Response::from(listed.error());
    return Response::json(to_json(*listed));
}

Response describe(service::Tilesets& tilesets, const Request& request) {
    auto view = tilesets.describe(*request.principal, request.parameter("id"), origin_of(request));
    if (!view) return Response::from(std::move(view).error());
    return Response::json(to_json(*view));
}

Response tilejson(service::Tilesets& tilesets, const Request& request) {
    auto source = tilesets.source(*request.principal, request.parameter("id"), origin_of(request));
    if (!source) return Response::from(std::move(source).error());
    return Response::json(to_tilejson(*source));
}

Response addresses(service::Tilesets& tilesets, const Request& request, const std::vector<std::string>& parameters) {
    const auto query = ListQuery::parse(request, parameters);
    if (!query) return Response::from(query.error());
    const auto found =
        tilesets.addresses(*request.principal, request.parameter("id"), query->get("version"), origin_of(request));
    if (!found) return Response::from(found.error());
    return Response::json(to_json(*found));
}

Route tileset_route(std::string pattern, std::string operation_id, std::string summary) {
    Route route;
    route.method = Method::get;
    route.pattern = std::move(pattern);
    route.operation_id = std::move(operation_id);
    route.summary = std::move(summary);
    route.tag = "tilesets";
    route.auth = Auth::api_key;
    route.permission = Permission::tiles_read;
    route.limit = LimitRule{service::RateClass::tileset_reads, LimitScope::account};
    return route;
}

Route list_route(service::Tilesets& tilesets) {
    Route route = tileset_route("/v1/tilesets", "listTilesets", "List the account's tilesets, newest first");
    route.parameters = {"limit", "cursor"};
    route.answers = {{200, "A page of tilesets", "TilesetList"}};
    route.failures = {400, 503};
    route.handler = on_pool(
        [&tilesets, known = route.parameters](const Request& request) { return list(tilesets, request, known); });
    return route;
}

Route describe_route(service::Tilesets& tilesets) {
    Route route =
        tileset_route("/v1/tilesets/{id}", "getTileset", "Describe a tileset and the versions that can be had");
    route.answers = {{200, "The tileset and its versions, newest first", "TilesetWithVersions"}};
    route.failures = {400, 404, 503};
    route.handler = on_pool([&tilesets](const Request& request) { return describe(tilesets, request); });
    return route;
}

Route tilejson_route(service::Tilesets& tilesets) {
    Route route = tileset_route("/v1/tilesets/{id}/tilejson", "getTileJson",
                                "Describe the current version of a tileset to a map viewer");
    route.answers = {{200, "TileJSON 3.0", "TileJson"}};
    route.failures = {400, 404, 503};
    route.cors = true;  // as the tiles are: a key is never sent by itself
    route.handler = on_pool([&tilesets](const Request& request) { return tilejson(tilesets, request); });
    return route;
}

Route addresses_route(service::Tilesets& tilesets) {
    Route route = tileset_route("/v1/tilesets/{id}/addresses", "getTilesetAddresses",
                                "Tell where a version of a tileset is for viewers: XYZ, TileJSON, IIIF and Deep Zoom");
    route.parameters = {"version:query"};
    route.answers = {{200, "The addresses", "TilesetAddresses"}};
    route.failures = {400, 404, 503};
    route.handler = on_pool([&tilesets](const Request& request) { return addresses(tilesets, request, {"version"}); });
    return route;
}

}  // namespace

std::vector<Route> tileset_routes(service::Tilesets& tilesets) {
    return {list_route(tilesets), describe_route(tilesets), tilejson_route(tilesets), addresses_route(tilesets)};
}

}  // namespace tessera::http
