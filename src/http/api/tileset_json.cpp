#include "http/api/tileset_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "http/api/json_object.hpp"

namespace tessera::http {
namespace {

// Where the square of Web Mercator ends.
constexpr double northernmost = 85.0511287798066;

void write_geometry(JsonObject& object, const TilesetVersion& version) {
    const TilesetGeometry& geometry = version.geometry;
    object.number("version", version.version).text("format", to_string(geometry.format));
    object.number("width", geometry.width).number("height", geometry.height).number("tile_size", geometry.tile_size);
    object.number("min_zoom", geometry.min_zoom).number("max_zoom", geometry.max_zoom);
    object.number("tile_count", version.tile_count);
}

void write_record(JsonObject& object, const service::TilesetRecord& stored) {
    const Tileset& tileset = stored.tileset;
    object.id("id", tileset.id);
    write_geometry(object, tileset.current);
    if (stored.job_id) object.id("job_id", *stored.job_id);
    object.time("created_at", tileset.created_at).time("updated_at", tileset.current.created_at);
    if (tileset.expires_at) object.time("expires_at", *tileset.expires_at);
}

void write_version(std::string& out, const service::VersionView& view) {
    JsonObject object(out);
    write_geometry(object, view.version);
    if (view.job_id) object.id("job_id", *view.job_id);
    object.time("created_at", view.version.created_at);
    if (view.replaced_at) object.time("replaced_at", *view.replaced_at);
    if (view.expires_at) object.time("expires_at", *view.expires_at);
    if (!view.url_template.empty()) {
        object.text("public_tile_url_template", view.url_template);
        object.text("tile_url_template", view.url_template);
    }
    object.end();
}

std::string degrees(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 7).ptr;
    return {text.data(), end};
}

// A picture has no place on the globe: to a map viewer it lies in the upper left corner of the square at zoom 0. Saying
// where it ends there keeps viewers from asking for tiles beside it.
std::string bounds_of(const TilesetGeometry& geometry) {
    const double side = std::ldexp(static_cast<double>(geometry.tile_size), geometry.max_zoom);
    const double east = static_cast<double>(geometry.width) / side * 360 - 180;
    const double y = std::numbers::pi * (1 - 2 * static_cast<double>(geometry.height) / side);
    const double south = std::atan(std::sinh(y)) * 180 / std::numbers::pi;
    return "[-180," + degrees(south) + "," + degrees(east) + "," + degrees(northernmost) + "]";
}

}  // namespace

std::string to_json(const service::TilesetView& view) {
    std::string out;
    JsonObject object(out);
    write_record(object, view.record);
    object.start("versions") += '[';
    for (const service::VersionView& version : view.versions) {
        if (&version != &view.versions.front()) out += ',';
        write_version(out, version);
    }
    out += ']';
    object.end();
    return out;
}

std::string to_json(const service::ListedTilesets& listed) {
    return list_json("tilesets", listed.tilesets, listed.next_cursor,
                     [](std::string& out, const service::TilesetRecord& stored) {
                         JsonObject object(out);
                         write_record(object, stored);
                         object.end();
                     });
}

std::string to_json(const service::TilesetAddresses& addresses) {
    std::string out;
    JsonObject object(out);
    object.id("tileset_id", addresses.tileset_id).number("version", addresses.version);
    {
        JsonObject keyed(object.start("keyed"));
        keyed.text("xyz", addresses.keyed.xyz).text("tilejson", addresses.keyed.tilejson);
        keyed.text("iiif", addresses.keyed.iiif).text("dzi", addresses.keyed.dzi).end();
    }
    if (const auto& given = addresses.in_public) {
        JsonObject in_public(object.start("public"));
        in_public.text("xyz", given->xyz).text("iiif", given->iiif).text("dzi", given->dzi);
        in_public.time("expires_at", given->expires_at).end();
    }
    object.end();
    return out;
}

std::string to_tilejson(const service::TileSource& source) {
    const TilesetVersion& current = source.tileset.current;
    const TilesetGeometry& geometry = current.geometry;
    std::string out;
    JsonObject object(out);
    object.text("tilejson", "3.0.0").text("name", source.tileset.id.to_string());
    object.text("version", std::to_string(current.version) + ".0.0").text("scheme", "xyz");
    log::append_json_string(object.start("tiles") += '[', source.url_template);
    out += ']';
    object.number("minzoom", geometry.min_zoom).number("maxzoom", geometry.max_zoom);
    object.raw("bounds", bounds_of(geometry));
    // Not of the standard: what viewers of raster tiles ask for beside it.
    object.text("format", to_string(geometry.format)).number("tileSize", geometry.tile_size);
    object.number("width", geometry.width).number("height", geometry.height);
    object.end();
    return out;
}

}  // namespace tessera::http
