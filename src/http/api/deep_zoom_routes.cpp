#include "http/api/deep_zoom_routes.hpp"

#include <utility>

#include "http/api/picture_answers.hpp"
#include "service/pictures/deep_zoom.hpp"

namespace tessera::http {
namespace {

constexpr auto form = service::PictureForm::deep_zoom;

Result<WantedPicture> wanted_tile(const Request& request, const service::PictureSource& source) {
    auto cut = service::resolve_deep_zoom(request.parameter("level"), request.parameter("tile"), source.geometry());
    if (!cut) return std::move(cut).error();
    return WantedPicture{*cut};
}

Response describe(const Request& request, const service::PictureSource& source) {
    Response response = Response::bytes("application/xml", service::deep_zoom_descriptor(source.geometry()));
    response.add("Cache-Control", cache_control_of(request, source));
    return response;
}

Route descriptor_route(service::Pictures& pictures, PictureReach reach) {
    Route route = picture_route(reach, form, "/image.dzi");
    route.operation_id = reach == PictureReach::account ? "getDeepZoom" : "getPublicDeepZoom";
    route.summary = "Describe a tileset version to a viewer of Deep Zoom images";
    route.answers = {{200, "The descriptor", "", {"application/xml"}, {"Cache-Control"}}};
    route.handler = source_handler(pictures, form, describe);
    return route;
}

Route tile_route(service::Pictures& pictures, PictureReach reach) {
    Route route = picture_route(reach, form, "/image_files/{level}/{tile}");
    route.operation_id = reach == PictureReach::account ? "getDeepZoomTile" : "getPublicDeepZoomTile";
    route.summary = "Read a tile of a Deep Zoom image; those at the edges are cut to the picture";
    route.parameters = {"If-None-Match"};
    const std::vector<std::string> headers = {"ETag", "Cache-Control"};
    route.answers = {{200, "The tile", "", {"image/jpeg", "image/png", "image/webp"}, headers},
                     {304, "Not changed since the ETag in If-None-Match", "", {}, headers}};
    route.handler = picture_handler(pictures, form, wanted_tile);
    return route;
}

}  // namespace

std::vector<Route> deep_zoom_routes(service::Pictures& pictures) {
    std::vector<Route> routes;
    for (const PictureReach reach : {PictureReach::account, PictureReach::everyone}) {
        routes.push_back(descriptor_route(pictures, reach));
        routes.push_back(tile_route(pictures, reach));
    }
    return routes;
}

}  // namespace tessera::http
