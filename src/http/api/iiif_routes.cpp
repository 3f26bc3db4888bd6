#include "http/api/iiif_routes.hpp"

#include <utility>

#include "http/api/iiif_json.hpp"
#include "http/api/picture_answers.hpp"
#include "http/message/accept.hpp"
#include "http/message/conditional.hpp"

namespace tessera::http {
namespace {

constexpr auto form = service::PictureForm::iiif;

std::string linked(std::string_view address, std::string_view relation) {
    return "<" + std::string(address) + ">;rel=\"" + std::string(relation) + "\"";
}

// Viewers may write ^ and , as %5E and %2C. What is not well encoded is no address.
Result<WantedPicture> wanted_picture(const Request& request, const service::PictureSource& source) {
    const auto region = percent_decoded(request.parameter("region"));
    const auto size = percent_decoded(request.parameter("size"));
    const auto rotation = percent_decoded(request.parameter("rotation"));
    const auto file = percent_decoded(request.parameter("file"));
    if (!region || !size || !rotation || !file) {
        return Error{ErrorCode::invalid_request, "the address is not percent-encoded as it must be", {}};
    }
    const auto address = service::parse_iiif_address({*region, *size, *rotation, *file});
    if (!address) return address.error();
    auto resolved = service::resolve_iiif(*address, source.geometry());
    if (!resolved) return std::move(resolved).error();
    std::string canonical = source.base + "/" + resolved->canonical;
    return WantedPicture{resolved->cut, linked(canonical, "canonical") + ", " + linked(iiif_profile, "profile")};
}

Response describe(const Request& request, const service::PictureSource& source) {
    const bool linked_data = accepts_json_ld(request.headers);
    Response response = Response::json(iiif_info(source.base, source.geometry()));
    if (linked_data) response.content_type = "application/ld+json;profile=\"" + std::string(iiif_context) + "\"";
    response.add("Cache-Control", cache_control_of(request, source));
    response.add("Vary", "Accept");
    response.add("Link", linked(iiif_profile, "profile"));
    return response;
}

Response redirect(const Request&, const service::PictureSource& source) {
    Response response = Response::empty(303);
    response.add("Location", source.base + "/info.json");
    return response;
}

Route base_route(service::Pictures& pictures, PictureReach reach) {
    Route route = picture_route(reach, form, "");
    route.operation_id = reach == PictureReach::account ? "getIiifBase" : "getPublicIiifBase";
    route.summary = "Lead from the base address of a tileset's pictures to info.json";
    route.answers = {{303, "info.json is there", "", {}, {"Location"}}};
    route.handler = source_handler(pictures, form, redirect);
    return route;
}

Route info_route(service::Pictures& pictures, PictureReach reach) {
    Route route = picture_route(reach, form, "/info.json");
    route.operation_id = reach == PictureReach::account ? "getIiifInfo" : "getPublicIiifInfo";
    route.summary = "Describe a tileset version to a viewer of the IIIF Image API 3.0";
    route.answers = {{200,
                      "The picture's size, tiles and what can be asked for",
                      "IiifInfo",
                      {"application/json", "application/ld+json"},
                      {"Cache-Control", "Vary", "Link"}}};
    route.handler = source_handler(pictures, form, describe);
    return route;
}

Route image_route(service::Pictures& pictures, PictureReach reach) {
    Route route = picture_route(reach, form, "/{region}/{size}/{rotation}/{file}");
    route.operation_id = reach == PictureReach::account ? "getIiifImage" : "getPublicIiifImage";
    route.summary = "Read a part of a tileset's picture, at a size (IIIF Image API 3.0)";
    route.parameters = {"If-None-Match"};
    const std::vector<std::string> headers = {"ETag", "Cache-Control", "Link"};
    route.answers = {{200, "The picture", "", {"image/jpeg", "image/png", "image/webp"}, headers},
                     {304, "Not changed since the ETag in If-None-Match", "", {}, headers}};
    route.failures.push_back(501);
    route.handler = picture_handler(pictures, form, wanted_picture);
    return route;
}

}  // namespace

std::vector<Route> iiif_routes(service::Pictures& pictures) {
    std::vector<Route> routes;
    for (const PictureReach reach : {PictureReach::account, PictureReach::everyone}) {
        routes.push_back(base_route(pictures, reach));
        routes.push_back(info_route(pictures, reach));
        routes.push_back(image_route(pictures, reach));
    }
    return routes;
}

}  // namespace tessera::http
