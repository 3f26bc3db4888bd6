// Input: lines, as the parts of a picture's address: region, size, rotation, quality and format of IIIF, then level and
// tile of Deep Zoom, then the width and height of the picture. What is taken lies within the picture and within the
// limits, and its only spelling is that of the same picture.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "service/pictures/cut.hpp"
#include "service/pictures/cut_plan.hpp"
#include "service/pictures/deep_zoom.hpp"
#include "service/pictures/iiif_address.hpp"

namespace {

using namespace tessera;
using namespace tessera::service;

void require(bool holds) {
    if (!holds) std::abort();
}

std::string_view next_line(std::string_view& rest) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return line;
}

std::int64_t edge_in(std::string_view text) {
    std::int64_t edge = 0;
    std::from_chars(text.data(), text.data() + text.size(), edge);
    return std::clamp<std::int64_t>(edge, 1, std::int64_t{1} << 30);
}

void check_cut(const Cut& cut, const tiles::PyramidShape& shape) {
    const tiles::PixelSize whole = shape.size_at(cut.zoom);
    require(cut.zoom >= 0 && cut.zoom <= shape.max_zoom());
    require(cut.x >= 0 && cut.y >= 0 && cut.width > 0 && cut.height > 0);
    require(cut.x + cut.width <= static_cast<double>(whole.width));
    require(cut.y + cut.height <= static_cast<double>(whole.height));
    require(cut.size.width >= 1 && cut.size.width <= most_picture_edge);
    require(cut.size.height >= 1 && cut.size.height <= most_picture_edge);
    require(cut.size.width * cut.size.height <= most_picture_pixels);
    const tiles::TileRange range = tiles_of(cut, shape.tile_size());
    require(range.count() > 0);
    require(range.count() * 256 * 256 <= static_cast<std::uint64_t>(most_tile_pixels));
    require(range.end_column <= shape.columns_at(cut.zoom) && range.end_row <= shape.rows_at(cut.zoom));
}

void check_iiif(const IiifParts& parts, const TilesetGeometry& geometry, const tiles::PyramidShape& shape) {
    const auto address = parse_iiif_address(parts);
    if (!address) return;
    const auto resolved = resolve_iiif(*address, geometry);
    if (!resolved) return;
    check_cut(resolved->cut, shape);
    std::array<std::string_view, 4> spelt;
    std::string_view rest = resolved->canonical;
    for (std::string_view& part : spelt) {
        const auto end = std::min(rest.find('/'), rest.size());
        part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto again = parse_iiif_address({spelt[0], spelt[1], spelt[2], spelt[3]});
    require(again.ok());
    const auto same = resolve_iiif(*again, geometry);
    require(same.ok() && same->canonical == resolved->canonical && same->cut.name() == resolved->cut.name());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const IiifParts parts{next_line(rest), next_line(rest), next_line(rest), next_line(rest)};
    const std::string_view level = next_line(rest);
    const std::string_view tile = next_line(rest);
    const std::int64_t width = edge_in(next_line(rest));
    const std::int64_t height = edge_in(next_line(rest));
    const auto shape = tiles::PyramidShape::make(width, height, 256);
    require(shape.ok());
    const TilesetGeometry geometry{ImageFormat::jpeg, 256, width, height, 0, shape->max_zoom()};
    check_iiif(parts, geometry, *shape);
    if (const auto cut = resolve_deep_zoom(level, tile, geometry)) {
        check_cut(*cut, *shape);
        require(cut->size.width <= 256 && cut->size.height <= 256);
    }
    return 0;
}
