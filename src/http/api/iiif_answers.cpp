#include "http/api/iiif_answers.hpp"

#include "http/api/iiif_json.hpp"
#include "http/message/accept.hpp"
#include "http/message/conditional.hpp"

namespace tessera::http {
namespace {

std::string linked(std::string_view address, std::string_view relation) {
    return "<" + std::string(address) + ">;rel=\"" + std::string(relation) + "\"";
}

std::string id_of(const IiifRoutes& terms, PictureReach reach, std::string_view what) {
    std::string id = reach == PictureReach::account ? "get" : "getPublic";
    return id.append(terms.operations).append(what);
}

Route base_route(const IiifRoutes& terms, PictureReach reach) {
    Route route = terms.route_of(reach, "");
    route.operation_id = id_of(terms, reach, "Base");
    route.summary = "Lead from the base address of " + std::string(terms.whose) + " to info.json";
    route.answers = {{303, "info.json is there", "", {}, {"Location"}}};
    route.handler = terms.base;
    return route;
}

Route info_route(const IiifRoutes& terms, PictureReach reach) {
    Route route = terms.route_of(reach, "/info.json");
    route.operation_id = id_of(terms, reach, "Info");
    route.summary = "Describe " + std::string(terms.whole) + " to a viewer of the IIIF Image API 3.0";
    route.answers = {{200,
                      "The picture's size, tiles and what can be asked for",
                      "IiifInfo",
                      {"application/json", "application/ld+json"},
                      {"Cache-Control", "Vary", "Link"}}};
    route.handler = terms.info;
    return route;
}

Route image_route(const IiifRoutes& terms, PictureReach reach) {
    Route route = terms.route_of(reach, "/{region}/{size}/{rotation}/{file}");
    route.operation_id = id_of(terms, reach, "Image");
    route.summary = "Read " + std::string(terms.part) + ", at a size (IIIF Image API 3.0)";
    route.parameters = {"If-None-Match"};
    const std::vector<std::string> headers = {"ETag", "Cache-Control", "Link"};
    route.answers = {{200, "The picture", "", {"image/jpeg", "image/png", "image/webp"}, headers},
                     {304, "Not changed since the ETag in If-None-Match", "", {}, headers}};
    route.failures.insert(route.failures.end(), terms.image_failures.begin(), terms.image_failures.end());
    route.handler = terms.image;
    return route;
}

}  // namespace

// Viewers may write ^ and , as %5E and %2C. What is not well encoded is no address.
Result<service::IiifAddress> iiif_address_of(const Request& request) {
    const auto region = percent_decoded(request.parameter("region"));
    const auto size = percent_decoded(request.parameter("size"));
    const auto rotation = percent_decoded(request.parameter("rotation"));
    const auto file = percent_decoded(request.parameter("file"));
    if (!region || !size || !rotation || !file) {
        return Error{ErrorCode::invalid_request, "the address is not percent-encoded as it must be", {}};
    }
    return service::parse_iiif_address({*region, *size, *rotation, *file});
}

std::string iiif_links(std::string_view base, std::string_view canonical) {
    return linked(std::string(base) + "/" + std::string(canonical), "canonical") + ", " +
           linked(iiif_profile, "profile");
}

Response iiif_description(const Request& request, std::string_view base, const TilesetGeometry& geometry,
                          std::string_view cache_control) {
    const bool linked_data = accepts_json_ld(request.headers);
    Response response = Response::json(iiif_info(base, geometry));
    if (linked_data) response.content_type = "application/ld+json;profile=\"" + std::string(iiif_context) + "\"";
    response.add("Cache-Control", cache_control);
    response.add("Vary", "Accept");
    response.add("Link", linked(iiif_profile, "profile"));
    return response;
}

Response iiif_redirect(std::string_view base) {
    Response response = Response::empty(303);
    response.add("Location", std::string(base) + "/info.json");
    return response;
}

std::vector<Route> iiif_routes_of(const IiifRoutes& terms) {
    std::vector<Route> routes;
    for (const PictureReach reach : {PictureReach::account, PictureReach::everyone}) {
        routes.push_back(base_route(terms, reach));
        routes.push_back(info_route(terms, reach));
        routes.push_back(image_route(terms, reach));
    }
    return routes;
}

}  // namespace tessera::http
