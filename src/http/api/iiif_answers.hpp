// What routes of the IIIF Image API 3.0 have in common, whatever their pictures are made of.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "http/api/picture_answers.hpp"
#include "http/message/request.hpp"
#include "http/message/response.hpp"
#include "service/pictures/iiif_address.hpp"

namespace tessera::http {

// From the parameters region, size, rotation and file of the route.
Result<service::IiifAddress> iiif_address_of(const Request& request);

// The value of a picture's Link header.
std::string iiif_links(std::string_view base, std::string_view canonical);

// info.json, as the request accepts it.
Response iiif_description(const Request& request, std::string_view base, const TilesetGeometry& geometry,
                          std::string_view cache_control);
// From the base address to info.json.
Response iiif_redirect(std::string_view base);

// What pictures are made of: the rest is the same for all.
struct IiifRoutes {
    std::string_view operations;  // in their ids: get{operations}Info, getPublic{operations}Info
    std::string_view whole;       // "a tileset version", in summaries
    std::string_view whose;       // "a tileset's pictures"
    std::string_view part;        // "a part of a tileset's picture"
    std::function<Route(PictureReach, std::string_view rest)> route_of;
    std::vector<int> image_failures;  // of images, beside those of all three
    Handler base;
    Handler info;
    Handler image;
};
// Base address, info.json and images, with a key and with expiry and signature in the path.
std::vector<Route> iiif_routes_of(const IiifRoutes& terms);

}  // namespace tessera::http
