#include "http/api/iiif_json.hpp"

#include "http/api/json_object.hpp"
#include "service/pictures/cut.hpp"

namespace tessera::http {
namespace {

// The sizes that the whole picture has in tiles: they need no scaling.
std::string sizes_of(const TilesetGeometry& geometry) {
    std::string out = "[";
    for (const service::PictureSize& size : service::sizes_at_hand(geometry)) {
        if (out.size() > 1) out += ',';
        JsonObject object(out);
        object.number("width", size.width).number("height", size.height).end();
    }
    return out + "]";
}

std::string tiles_of(const TilesetGeometry& geometry) {
    std::string factors;
    for (int zoom = 0; zoom <= geometry.max_zoom; ++zoom) {
        factors += (zoom == 0 ? "" : ",") + std::to_string(std::int64_t{1} << zoom);
    }
    std::string out = "[";
    JsonObject object(out);
    object.number("width", geometry.tile_size).number("height", geometry.tile_size);
    object.raw("scaleFactors", "[" + factors + "]").end();
    return out + "]";
}

}  // namespace

std::string iiif_info(std::string_view base, const TilesetGeometry& geometry) {
    std::string out;
    JsonObject object(out);
    object.text("@context", iiif_context).text("id", base).text("type", "ImageService3");
    object.text("protocol", "http://iiif.io/api/image").text("profile", "level2");
    object.number("width", geometry.width).number("height", geometry.height);
    object.number("maxWidth", service::most_picture_edge).number("maxHeight", service::most_picture_edge);
    object.number("maxArea", service::most_picture_pixels);
    object.raw("sizes", sizes_of(geometry)).raw("tiles", tiles_of(geometry));
    const std::string_view own = file_extension(geometry.format);
    object.raw("preferredFormats", "[\"" + std::string(own) + "\"]");
    object.raw("extraFormats", R"(["webp"])").raw("extraQualities", R"(["bitonal"])");
    object.raw("extraFeatures", R"(["canonicalLinkHeader","mirroring","profileLinkHeader","sizeUpscaling"])");
    object.end();
    return out;
}

}  // namespace tessera::http
