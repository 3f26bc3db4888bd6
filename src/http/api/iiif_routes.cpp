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

}  // namespace

std::vector<Route> iiif_routes(service::Pictures& pictures) {
    return iiif_routes_of(
        {.operations = "Iiif",
         .whole = "a tileset version",
         .whose = "a tileset's pictures",
         .part = "a part of a tileset's picture",
         .route_of = [](PictureReach reach, std::string_view rest) { return picture_route(reach, form, rest); },
         .image_failures = {501},
         .base = source_handler(pictures, form, redirect),
         .info = source_handler(pictures, form, describe),
         .image = picture_handler(pictures, form, wanted_picture)});
}

}  // namespace tessera::http
