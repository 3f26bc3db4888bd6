#include "service/pictures/cut.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "service/pictures/cut_plan.hpp"

namespace tessera::service {
namespace {

using tiles::PixelRect;
using PixelSize = PictureSize;

std::int64_t divided_up(std::int64_t length, std::int64_t by) {
    return (length + by - 1) / by;
}

// Whether the edge begins and ends where pixels of the zoom do; the last one may reach beyond the picture.
bool fits_grid(std::int64_t start, std::int64_t length, std::int64_t whole, std::int64_t unit) {
    return start % unit == 0 && ((start + length) % unit == 0 || start + length == whole);
}

std::optional<int> zoom_with_these_pixels(const tiles::PyramidShape& shape, const PixelRect& region, PixelSize size) {
    for (int zoom = shape.max_zoom(); zoom >= 0; --zoom) {
        const std::int64_t unit = std::int64_t{1} << (shape.max_zoom() - zoom);
        if (divided_up(region.width, unit) < size.width && divided_up(region.height, unit) < size.height) break;
        if (fits_grid(region.x, region.width, shape.size().width, unit) &&
            fits_grid(region.y, region.height, shape.size().height, unit) &&
            PixelSize{divided_up(region.width, unit), divided_up(region.height, unit)} == size) {
            return zoom;
        }
    }
    return std::nullopt;
}

Cut cut_at(const tiles::PyramidShape& shape, const PixelRect& region, PixelSize size, int zoom) {
    const double unit = std::ldexp(1.0, shape.max_zoom() - zoom);
    Cut cut;
    cut.zoom = zoom;
    cut.x = static_cast<double>(region.x) / unit;
    cut.y = static_cast<double>(region.y) / unit;
    cut.width = static_cast<double>(region.width) / unit;
    cut.height = static_cast<double>(region.height) / unit;
    cut.size = size;
    return cut;
}

bool takes_too_many(const Cut& cut, int tile_size) {
    const auto pixels = std::uint64_t{static_cast<std::uint32_t>(tile_size)} * static_cast<std::uint32_t>(tile_size);
    return tiles_of(cut, tile_size).count() > static_cast<std::uint64_t>(most_tile_pixels) / pixels;
}

}  // namespace

tiles::TileRange tiles_of(const Cut& cut, int tile_size) {
    const auto first = [&](double at) { return static_cast<std::uint32_t>(std::floor(at) / tile_size); };
    const auto end = [&](double at) {
        return static_cast<std::uint32_t>(divided_up(static_cast<std::int64_t>(std::ceil(at)), tile_size));
    };
    return {cut.zoom, first(cut.x), first(cut.y), end(cut.x + cut.width), end(cut.y + cut.height)};
}

std::optional<tiles::TileCoord> whole_tile(const Cut& cut, const TilesetGeometry& geometry) {
    const auto side = static_cast<double>(geometry.tile_size);
    const bool as_it_is =
        !cut.mirrored && cut.turned == 0 && cut.colours == PictureColours::all && cut.format == geometry.format;
    const bool is_one = cut.width == side && cut.height == side &&
                        cut.size == PixelSize{geometry.tile_size, geometry.tile_size} && std::fmod(cut.x, side) == 0 &&
                        std::fmod(cut.y, side) == 0;
    if (!as_it_is || !is_one) return std::nullopt;
    return tiles::TileCoord::make(cut.zoom, static_cast<std::int64_t>(cut.x / side),
                                  static_cast<std::int64_t>(cut.y / side));
}

bool is_whole_tile(const Cut& cut, const TilesetGeometry& geometry) {
    return whole_tile(cut, geometry).has_value();
}

std::string Cut::name() const {
    std::string text = std::to_string(zoom);
    for (const double value : {x, y, width, height}) {
        std::array<char, 32> digits;
        text += ' ';
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    }
    text += ' ' + std::to_string(size.width) + ',' + std::to_string(size.height) + (mirrored ? " !" : " ") +
            std::to_string(turned) + ' ';
    return text.append(quality_name(colours)).append(" ").append(to_string(format));
}

Cut plan_cut(const tiles::PyramidShape& shape, const PixelRect& region, PixelSize size) {
    if (const auto zoom = zoom_with_these_pixels(shape, region, size)) {
        Cut cut = cut_at(shape, region, size, *zoom);
        cut.width = static_cast<double>(size.width);  // a last pixel that reaches beyond the picture is whole
        cut.height = static_cast<double>(size.height);
        return cut;
    }
    Cut cut = cut_at(shape, region, size, shape.max_zoom());
    while (cut.zoom > 0) {
        const Cut smaller = cut_at(shape, region, size, cut.zoom - 1);
        const bool enough =
            smaller.width >= static_cast<double>(size.width) && smaller.height >= static_cast<double>(size.height);
        if (!enough && !takes_too_many(cut, shape.tile_size())) break;
        cut = smaller;
    }
    return cut;
}

Result<IiifCut> resolve_iiif(const IiifAddress& address, const TilesetGeometry& geometry) {
    const auto shape = tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size);
    if (!shape) return shape.error();
    auto part = resolve_part(address, {geometry.width, geometry.height});
    if (!part) return std::move(part).error();
    const auto& [x, y, width, height] = part->region;
    IiifCut resolved{plan_cut(*shape, {x, y, width, height}, part->size), std::move(part->canonical)};
    resolved.cut.mirrored = address.mirrored;
    resolved.cut.turned = address.turned;
    resolved.cut.colours = address.colours;
    resolved.cut.format = address.format;
    return resolved;
}

std::vector<PictureSize> sizes_at_hand(const TilesetGeometry& geometry) {
    std::vector<PictureSize> sizes;
    const auto shape = tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size);
    for (int zoom = 0; shape && zoom <= shape->max_zoom(); ++zoom) {
        const auto [width, height] = shape->size_at(zoom);
        if (width > most_picture_edge || height > most_picture_edge || width * height > most_picture_pixels) break;
        sizes.push_back({width, height});
    }
    return sizes;
}

}  // namespace tessera::service
