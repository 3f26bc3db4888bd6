#include "http/api/asset_iiif_routes.hpp"

#include <functional>
#include <memory>
#include <utility>

#include "http/api/iiif_answers.hpp"
#include "http/api/json_object.hpp"
#include "http/api/picture_answers.hpp"
#include "http/api/wait_for_picture.hpp"
#include "http/message/conditional.hpp"
#include "http/message/origin.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/pictures/asset_pictures.hpp"

namespace tessera::http {
namespace {

using service::AssetPart;
using service::AssetPictures;
using service::AssetSource;

Result<AssetSource> source_of(AssetPictures& pictures, const Request& request) {
    const std::string origin = origin_of(request);
    service::AssetPicturesQuestion question{request.parameter("id")};
    question.origin = origin;
    question.principal = request.principal.get();
    // To viewers it is a part of an identifier, which they may encode.
    if (!request.principal) question.grant = percent_decoded(request.parameter("grant")).value_or(std::string());
    return pictures.find(question);
}

std::string cache_control_of(const AssetSource& source) {
    if (!source.seconds_left) return "private, no-cache";
    return "public, max-age=" + std::to_string(*source.seconds_left) + ", immutable";
}

// Everything but the bytes.
Response head_of(const AssetSource& source, const AssetPart& part, std::string_view etag) {
    Response response;
    response.add("Cache-Control", cache_control_of(source));
    response.add("Link", iiif_links(source.base, part.part.canonical));
    response.add("ETag", etag);
    return response;
}

Response answer(AssetPictures& pictures, const Request& request, const AssetSource& source, const AssetPart& part,
                const service::PreviewBytes& bytes) {
    Response response = head_of(source, part, strong_etag(pictures.tag_of(source, part)));
    response.content_type = media_type(part.format);
    if (!request.principal && request.method == Method::get) pictures.count_delivered(source, bytes->size());
    response.body = SharedBytes{bytes, std::string_view(*bytes)};
    return response;
}

ResponseOrWait show(AssetPictures& pictures, const Request& request) {
    auto source = source_of(pictures, request);
    if (!source) return Response::from(std::move(source).error());
    const auto address = iiif_address_of(request);
    if (!address) return Response::from(address.error());
    auto part = service::resolve_asset_part(*address, source->asset);
    if (!part) return Response::from(std::move(part).error());
    // What the client has already is known before anything is made.
    if (const std::string etag = strong_etag(pictures.tag_of(*source, *part)); is_known_to(request, etag)) {
        Response response = head_of(*source, *part, etag);
        response.status = 304;
        return response;
    }
    auto opened = pictures.open(*source, *part);
    if (!opened) return Response::from(std::move(opened).error());
    if (const auto* bytes = std::get_if<service::PreviewBytes>(&*opened)) {
        return answer(pictures, request, *source, *part, *bytes);
    }
    auto pending = std::get<std::shared_ptr<service::PendingPreview>>(std::move(*opened));
    auto respond = [&pictures, &request, source = std::move(*source), part = std::move(*part), pending] {
        const auto made = pending->result();
        if (!made) return Response::from(made.error());
        return answer(pictures, request, source, part, *made);
    };
    return WaitThenRespond{std::make_unique<WaitForPicture>(pending), std::move(respond)};
}

Response tell_addresses(AssetPictures& pictures, const Request& request) {
    const auto found = pictures.addresses(*request.principal, request.parameter("id"), origin_of(request));
    if (!found) return Response::from(found.error());
    std::string out;
    JsonObject object(out);
    object.id("asset_id", found->asset_id);
    JsonObject keyed(object.start("keyed"));
    keyed.text("iiif", found->keyed_iiif).end();
    if (const auto& given = found->in_public) {
        JsonObject in_public(object.start("public"));
        in_public.text("iiif", given->iiif).time("expires_at", given->expires_at).end();
    }
    object.end();
    return Response::json(std::move(out));
}

Handler with_source(AssetPictures& pictures, std::function<Response(const Request&, const AssetSource&)> respond) {
    return on_pool([&pictures, respond = std::move(respond)](const Request& request) {
        const auto source = source_of(pictures, request);
        return source ? respond(request, *source) : Response::from(source.error());
    });
}

Route route_of(PictureReach reach, std::string_view rest) {
    Route route;
    const bool keyed = reach == PictureReach::account;
    route.pattern = keyed ? "/v1/assets/{id}/iiif" : "/cdn/assets/{id}/iiif/{grant}";
    route.pattern += rest;
    route.tag = "assets";
    route.auth = keyed ? Auth::api_key : Auth::signed_url;
    if (keyed) route.permission = Permission::assets_read;
    route.limit = LimitRule{service::RateClass::asset_pictures, keyed ? LimitScope::account : LimitScope::ip};
    route.failures = {400, 403, 404, 500, 503};
    route.cors = true;  // a key is never sent by itself, so a page that has none learns nothing
    return route;
}

Route addresses_route(AssetPictures& pictures) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/assets/{id}/addresses";
    route.operation_id = "getAssetAddresses";
    route.summary = "Tell where an asset is for viewers of the IIIF Image API 3.0";
    route.tag = "assets";
    route.auth = Auth::api_key;
    route.permission = Permission::assets_read;
    route.limit = LimitRule{service::RateClass::asset_reads, LimitScope::account};
    route.answers = {{200, "The addresses", "AssetAddresses"}};
    route.failures = {400, 403, 404, 503};
    route.handler = on_pool([&pictures](const Request& request) { return tell_addresses(pictures, request); });
    return route;
}

}  // namespace

std::vector<Route> asset_iiif_routes(AssetPictures& pictures) {
    const auto redirect = [](const Request&, const AssetSource& source) { return iiif_redirect(source.base); };
    const auto describe = [](const Request& request, const AssetSource& source) {
        return iiif_description(request, source.base, source.geometry(), cache_control_of(source));
    };
    std::vector<Route> routes = iiif_routes_of(
        {.operations = "AssetIiif",
         .whole = "an asset",
         .whose = "an asset's pictures",
         .part = "a part of an asset",
         .route_of = route_of,
         .image_failures = {415, 501},
         .base = with_source(pictures, redirect),
         .info = with_source(pictures, describe),
         .image = on_pool_or_later([&pictures](const Request& request) { return show(pictures, request); })});
    routes.insert(routes.begin(), addresses_route(pictures));
    return routes;
}

}  // namespace tessera::http
