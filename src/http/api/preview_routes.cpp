#include "http/api/preview_routes.hpp"

#include <memory>
#include <utility>

#include "http/api/wait_for_picture.hpp"
#include "http/message/conditional.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/previews/previews.hpp"

namespace tessera::http {
namespace {

// With a key: how long a browser may show what it has without asking again.
constexpr std::string_view for_its_owner = "private, max-age=3600";

// Everything but the bytes.
struct Head {
    std::string etag;
    std::string cache_control;

    [[nodiscard]] Response answer(const Request& request, const service::PreviewBytes& bytes) const {
        Response response = Response::bytes(service::preview_media_type, SharedBytes{bytes, std::string_view(*bytes)});
        response.add("Cache-Control", cache_control);
        return apply_conditions(request, std::move(response), etag, false);
    }
    // It is known what the client has before anything is made.
    [[nodiscard]] Response unchanged() const {
        Response response = Response::empty(304);
        response.add("Cache-Control", cache_control);
        response.add("ETag", etag);
        return response;
    }
};

ResponseOrWait show(service::Previews& previews, const Request& request) {
    const std::string_view id = request.parameter("id");
    auto found = request.principal ? previews.find(*request.principal, id)
                                   : previews.find_signed(id, plain_query_parameter(request.query, "expires"),
                                                          plain_query_parameter(request.query, "sig"));
    if (!found) return Response::from(std::move(found).error());
    Head head{strong_etag(found->tag), std::string(for_its_owner)};
    if (found->seconds_left)
        head.cache_control = "public, max-age=" + std::to_string(*found->seconds_left) + ", immutable";
    if (is_known_to(request, head.etag)) return head.unchanged();
    auto opened = found->open();
    if (!opened) return Response::from(std::move(opened).error());
    if (const auto* bytes = std::get_if<service::PreviewBytes>(&*opened)) return head.answer(request, *bytes);
    auto pending = std::get<std::shared_ptr<service::PendingPreview>>(std::move(*opened));
    return WaitThenRespond{std::make_unique<WaitForPicture>(pending), [&request, head, pending] {
                               auto made = pending->result();
                               if (!made) return Response::from(std::move(made).error());
                               return head.answer(request, *made);
                           }};
}

}  // namespace

std::vector<Route> preview_routes(service::Previews& previews) {
    Route route;
    route.pattern = "/v1/assets/{id}/preview";
    route.operation_id = "getAssetPreview";
    route.summary = "Read a small picture of an asset, with a key or from the signed address of its content";
    route.tag = "assets";
    route.auth = Auth::key_or_signature;
    route.permission = Permission::assets_read;
    route.limit = LimitRule{service::RateClass::asset_previews, LimitScope::account};
    route.parameters = {"expires:preview", "sig:preview", "If-None-Match"};
    const std::vector<std::string> headers = {"ETag", "Cache-Control"};
    route.answers = {{200, "At most 512 pixels wide and high", "", {"image/webp"}, headers},
                     {304, "Not changed since the ETag in If-None-Match", "", {}, headers}};
    route.failures = {400, 403, 404, 415, 500, 503};
    route.cors = true;
    route.handler = on_pool_or_later([&previews](const Request& request) { return show(previews, request); });
    return {route};
}

}  // namespace tessera::http
