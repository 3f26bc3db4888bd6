#include "http/api/iiif_answers.hpp"

#include "http/api/iiif_json.hpp"
#include "http/message/accept.hpp"
#include "http/message/conditional.hpp"

namespace tessera::http {
namespace {

std::string linked(std::string_view address, std::string_view relation) {
    return "<" + std::string(address) + ">;rel=\"" + std::string(relation) + "\"";
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

}  // namespace tessera::http
