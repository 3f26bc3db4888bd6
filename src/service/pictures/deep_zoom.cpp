#include "service/pictures/deep_zoom.hpp"

#include <algorithm>
#include <bit>

#include "service/delivery/tile_address.hpp"
#include "service/delivery/tileset_errors.hpp"

namespace tessera::service {
namespace {

Error invalid_tile() {
    return Error{ErrorCode::invalid_request, "invalid tile coordinates", {}}.with_hint(
        "an address ends in level, column and row, whole numbers from 0 without leading zeros, and the extension that "
        "the descriptor names: /12/5_2.jpg");
}

std::int64_t halved_up(std::int64_t length, int times) {
    return ((length - 1) >> times) + 1;
}

}  // namespace

std::string deep_zoom_descriptor(const TilesetGeometry& geometry) {
    std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>)";
    text += "\n";
    text += R"(<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format=")";
    text.append(file_extension(geometry.format));
    text += R"(" Overlap="0" TileSize=")" + std::to_string(geometry.tile_size) + R"(">)";
    text += R"(<Size Width=")" + std::to_string(geometry.width) + R"(" Height=")" + std::to_string(geometry.height);
    return text + "\"/></Image>\n";
}

int deep_zoom_levels(const TilesetGeometry& geometry) {
    const auto longest = static_cast<std::uint64_t>(std::max(geometry.width, geometry.height));
    return static_cast<int>(std::bit_width(longest - 1));
}

Result<Cut> resolve_deep_zoom(std::string_view level_text, std::string_view file, const TilesetGeometry& geometry) {
    const std::size_t line = std::min(file.find('_'), file.size());
    const std::size_t dot = file.find('.');
    if (dot == std::string_view::npos || line >= dot) return invalid_tile();
    const auto level = canonical_number(level_text);
    const auto column = canonical_number(file.substr(0, line));
    const auto row = canonical_number(file.substr(line + 1, dot - line - 1));
    if (!level || !column || !row) return invalid_tile();
    if (file.substr(dot + 1) != file_extension(geometry.format)) return tile_not_found();
    const int levels = deep_zoom_levels(geometry);
    if (*level > levels) return tile_not_found();

    const int halvings = levels - static_cast<int>(*level);
    const PictureSize whole{halved_up(geometry.width, halvings), halved_up(geometry.height, halvings)};
    const std::int64_t side = geometry.tile_size;
    if (*column > (whole.width - 1) / side || *row > (whole.height - 1) / side) return tile_not_found();
    Cut cut;
    cut.format = geometry.format;
    cut.zoom = std::max(0, geometry.max_zoom - halvings);
    if (geometry.max_zoom >= halvings) {
        cut.size = {std::min(side, whole.width - *column * side), std::min(side, whole.height - *row * side)};
        cut.x = static_cast<double>(*column * side);
        cut.y = static_cast<double>(*row * side);
        cut.width = static_cast<double>(cut.size.width);
        cut.height = static_cast<double>(cut.size.height);
        return cut;
    }
    // Smaller than our smallest: its only tile, reduced.
    const int zoom_0 = geometry.max_zoom;
    cut.size = whole;
    cut.width = static_cast<double>(halved_up(geometry.width, zoom_0));
    cut.height = static_cast<double>(halved_up(geometry.height, zoom_0));
    return cut;
}

}  // namespace tessera::service
