#include "http/api/asset_read_routes.hpp"

#include "core/image_format.hpp"
#include "http/api/asset_json.hpp"
#include "http/api/list_query.hpp"
#include "http/api/stored_file.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http {
namespace {

Response list(service::Assets& assets, const Request& request, const std::vector<std::string>& parameters) {
    const auto query = ListQuery::parse(request, parameters);
    if (!query) return Response::from(query.error());
    const auto listed = assets.list(*request.principal, {query->get("limit"), query->get("cursor")});
    if (!listed) return Response::from(listed.error());
    return Response::json(to_json(*listed));
}

Response describe(service::Assets& assets, const Request& request) {
    auto view = assets.describe(*request.principal, request.parameter("id"), origin_of(request));
    if (!view) return Response::from(std::move(view).error());
    return Response::json(to_json(*view));
}

Response content(service::Assets& assets, const Request& request) {
    auto found = assets.find_signed(request.parameter("id"), plain_query_parameter(request.query, "expires"),
                                    plain_query_parameter(request.query, "sig"));
    if (!found) return Response::from(std::move(found).error());
    const Asset& asset = found->asset;
    const StoredFile file{media_type(asset.image.format), asset.byte_size, asset.checksum_sha256,
                          asset.original_filename, found->seconds_left};
    return respond_with(request, file,
                        [&](std::uint64_t offset, std::uint64_t length) { return assets.read(asset, offset, length); });
}

Route asset_route(std::string pattern, std::string operation_id, std::string summary) {
    Route route;
    route.method = Method::get;
    route.pattern = std::move(pattern);
    route.operation_id = std::move(operation_id);
    route.summary = std::move(summary);
    route.tag = "assets";
    route.auth = Auth::api_key;
    route.permission = Permission::assets_read;
    route.limit = LimitRule{service::RateClass::asset_reads, LimitScope::account};
    return route;
}

Route list_route(service::Assets& assets) {
    Route route = asset_route("/v1/assets", "listAssets", "List the account's assets, newest first");
    route.parameters = {"limit", "cursor"};
    route.answers = {{200, "A page of assets", "AssetList"}};
    route.failures = {400, 503};
    route.handler =
        on_pool([&assets, known = route.parameters](const Request& request) { return list(assets, request, known); });
    return route;
}

Route describe_route(service::Assets& assets) {
    Route route =
        asset_route("/v1/assets/{id}", "getAsset", "Describe an asset and get a signed address for its bytes");
    route.answers = {{200, "The asset with a signed content_url", "AssetWithContent"}};
    route.failures = {400, 404, 503};
    route.handler = on_pool([&assets](const Request& request) { return describe(assets, request); });
    return route;
}

Route content_route(service::Assets& assets) {
    Route route =
        asset_route("/v1/assets/{id}/content", "getAssetContent", "Read an asset's bytes from its signed address");
    route.auth = Auth::signed_url;
    route.permission.reset();
    route.limit = LimitRule{service::RateClass::asset_downloads, LimitScope::ip};
    route.parameters = {"expires", "sig", "If-None-Match", "Range", "If-Range"};
    const std::vector<std::string> bytes = {"image/*"};
    const std::vector<std::string> whole = {"ETag", "Cache-Control", "Accept-Ranges", "Content-Disposition"};
    std::vector<std::string> part = whole;
    part.emplace_back("Content-Range");
    route.answers = {{200, "The asset's bytes, as they were uploaded", "", bytes, whole},
                     {206, "The part that a Range header asked for", "", bytes, part},
                     {304, "Not changed since the ETag in If-None-Match", "", {}, whole}};
    route.failures = {400, 403, 404, 416, 500, 503};
    route.cors = true;
    route.handler = on_pool([&assets](const Request& request) { return content(assets, request); });
    return route;
}

}  // namespace

std::vector<Route> asset_read_routes(service::Assets& assets) {
    return {list_route(assets), describe_route(assets), content_route(assets)};
}

}  // namespace tessera::http
