// What the routes of IIIF and Deep Zoom have in common: whose tileset is asked for, and how a picture of it is
// answered.
#pragma once

#include <functional>
#include <string>

#include "http/routing/route.hpp"
#include "service/pictures/pictures.hpp"

namespace tessera::http {

// With a key, or with expiry and signature in the path.
enum class PictureReach { account, everyone };

// What an address asks for of one tileset version.
struct WantedPicture {
    service::Cut cut;
    std::string link{};  // the value of a Link header; empty: none
};
using WantedPictureOf = std::function<Result<WantedPicture>(const Request&, const service::PictureSource&)>;
// An answer that needs nothing but the tileset's geometry.
using DescribeSource = std::function<Response(const Request&, const service::PictureSource&)>;

Handler picture_handler(service::Pictures& pictures, service::PictureForm form, const WantedPictureOf& wanted_of);
Handler source_handler(service::Pictures& pictures, service::PictureForm form, const DescribeSource& describe);

// Who may keep the answer, and for how long.
std::string cache_control_of(const Request& request, const service::PictureSource& source);

// A route of the form below /v1/tilesets/{id}/v/{version}, or below /cdn/tilesets/{id}/v/{version} with the grant;
// `rest` begins with a slash or is empty.
Route picture_route(PictureReach reach, service::PictureForm form, std::string_view rest);

}  // namespace tessera::http
