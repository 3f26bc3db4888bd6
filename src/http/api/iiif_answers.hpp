// What routes of the IIIF Image API 3.0 have in common, whatever their pictures are made of.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/tileset.hpp"
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

}  // namespace tessera::http
