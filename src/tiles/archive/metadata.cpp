#include "tiles/archive/metadata.hpp"

#include <boost/json.hpp>
#include <exception>
#include <string>

#include "tiles/archive/limits.hpp"

namespace tessera::tiles {
namespace {

namespace json = boost::json;
using pmtiles::damaged;

std::int64_t number(const json::value& value) {
    return value.to_number<std::int64_t>();
}

bool flag(const json::object& own, std::string_view name) {
    const json::value* value = own.if_contains(name);
    return value != nullptr && value->as_bool();
}

Result<TilesetGeometry> geometry_in(const json::object& own) {
    TilesetGeometry geometry;
    const auto format = image_format_from_string(std::string_view(own.at("format").as_string()));
    if (!format) return damaged("an unknown tile format");
    geometry.format = *format;
    geometry.tile_size = own.at("tile_size").to_number<int>();
    geometry.width = number(own.at("width"));
    geometry.height = number(own.at("height"));
    geometry.min_zoom = own.at("min_zoom").to_number<int>();
    geometry.max_zoom = own.at("max_zoom").to_number<int>();
    if (geometry.min_zoom < 0 || geometry.max_zoom < geometry.min_zoom || geometry.max_zoom > max_zoom_level ||
        !PyramidShape::make(geometry.width, geometry.height, geometry.tile_size)) {
        return damaged("a picture that can't be");
    }
    return geometry;
}

Result<std::vector<PixelRect>> patched_in(const json::object& own, const TilesetGeometry& geometry) {
    std::vector<PixelRect> patched;
    const json::value* areas = own.if_contains("patched");
    if (areas == nullptr) return patched;
    if (areas->as_array().size() > limits::patched_areas) return damaged("too many patched areas");
    for (const json::value& area : areas->as_array()) {
        const PixelRect rect{number(area.at(0)), number(area.at(1)), number(area.at(2)), number(area.at(3))};
        const bool inside = rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0 &&
                            rect.width <= geometry.width && rect.x <= geometry.width - rect.width &&
                            rect.height <= geometry.height && rect.y <= geometry.height - rect.height;
        if (!inside) return damaged("a patched area outside the picture");
        patched.push_back(rect);
    }
    return patched;
}

Result<OwnMetadata> read(const json::object& own, const pmtiles::Header& header) {
    OwnMetadata metadata;
    auto geometry = geometry_in(own);
    if (!geometry) return geometry.error();
    metadata.geometry = *geometry;
    metadata.delta = flag(own, "delta");
    metadata.recipes = flag(own, "recipes");
    const auto type = metadata.recipes ? pmtiles::TileType::unknown : pmtiles::tile_type_of(geometry->format);
    if (type != header.tile_type || geometry->min_zoom != header.min_zoom || geometry->max_zoom != header.max_zoom) {
        return damaged("header and metadata disagree");
    }
    auto patched = patched_in(own, *geometry);
    if (!patched) return patched.error();
    metadata.patched = std::move(*patched);

    const json::value& sums = own.at("checksums");
    metadata.checksums = {sums.at("offset").to_number<std::uint64_t>(), sums.at("count").to_number<std::uint64_t>(),
                          sums.at("per_leaf").to_number<std::uint64_t>()};
    const std::uint64_t room = header.tile_data.length;
    const auto& [offset, count, per_leaf] = metadata.checksums;
    if (count > room / 4 || offset > room - 4 * count) return damaged("checksums outside the tile data");
    if (per_leaf > limits::directory_entries) return damaged("leaf directories that are too long");
    return metadata;
}

}  // namespace

Result<std::optional<OwnMetadata>> read_own_metadata(std::string_view text, const pmtiles::Header& header) {
    json::error_code failed;
    const auto parsed = json::parse(text, failed);
    if (failed || !parsed.is_object()) return damaged("metadata that is not a JSON object");
    const json::value* own = parsed.get_object().if_contains("tessera");
    if (own == nullptr) return std::optional<OwnMetadata>();
    try {  // Boost.JSON throws on a missing key or a wrong type
        auto metadata = read(own->as_object(), header);
        if (!metadata) return metadata.error();
        return std::optional(std::move(*metadata));
    } catch (const std::exception& problem) {
        return damaged(std::string("metadata: ") + problem.what());
    }
}

}  // namespace tessera::tiles
