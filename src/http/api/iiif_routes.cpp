#include "http/api/iiif_routes.hpp"

#include <utility>

#include "http/api/iiif_answers.hpp"
#include "http/api/picture_answers.hpp"

namespace tessera::http {
namespace {

constexpr auto form = service::PictureForm::iiif;

Result<WantedPicture> wanted_picture(const Request& request, const service::PictureSource& source) {
    const auto address = iiif_address_of(request);
    if (!address) return address.error();
    auto resolved = service::resolve_iiif(*address, source.geometry());
    if (!resolved) return std::move(resolved).error();
    return WantedPicture{resolved->cut, iiif_links(source.base, resolved->canonical)};
}

Response describe(const Request& request, const service::PictureSource& source) {
    return iiif_description(request, source.base, source.geometry(), cache_control_of(request, source));
}

Response redirect(const Request&, const service::PictureSource& source) {
    return iiif_redirect(source.base);
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
