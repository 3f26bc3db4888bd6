#include "tiles/archive/xyz.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>

namespace tessera::tiles {
namespace {

// Tiles of all zooms before this one: 1 + 4 + 16 + …
constexpr std::uint64_t first_id_of(int zoom) {
    return ((std::uint64_t{1} << (2 * zoom)) - 1) / 3;
}

// One step of the Hilbert curve: turns a quadrant so that the curve enters and leaves it at the right corners.
void turn_quadrant(std::uint32_t side, std::uint32_t& x, std::uint32_t& y, std::uint32_t right, std::uint32_t lower) {
    if (lower != 0) return;
    if (right != 0) {
        x = side - 1 - x;
        y = side - 1 - y;
    }
    std::swap(x, y);
}

std::optional<std::uint32_t> parse_decimal(std::string_view text) {
    if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::int64_t halve_up(std::int64_t length, int times) {
    const std::int64_t unit = std::int64_t{1} << times;
    return (length + unit - 1) >> times;
}

std::uint32_t tiles_along(std::int64_t length, int tile_size) {
    return static_cast<std::uint32_t>((length + tile_size - 1) / tile_size);
}

}  // namespace

std::optional<TileCoord> TileCoord::make(std::int64_t zoom, std::int64_t column, std::int64_t row) {
    if (zoom < 0 || zoom > max_zoom_level) return std::nullopt;
    const std::int64_t side = std::int64_t{1} << zoom;
    if (column < 0 || column >= side || row < 0 || row >= side) return std::nullopt;
    return TileCoord(static_cast<int>(zoom), static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row));
}

std::optional<TileCoord> TileCoord::parse(std::string_view zoom, std::string_view column, std::string_view row) {
    const auto z = parse_decimal(zoom);
    const auto x = parse_decimal(column);
    const auto y = parse_decimal(row);
    if (!z || !x || !y) return std::nullopt;
    return make(*z, *x, *y);
}

std::uint64_t TileCoord::id() const {
    std::uint64_t distance = 0;
    std::uint32_t x = column_;
    std::uint32_t y = row_;
    for (int bit = zoom_ - 1; bit >= 0; --bit) {
        const std::uint32_t side = std::uint32_t{1} << bit;
        const std::uint32_t right = (x >> bit) & 1;
        const std::uint32_t lower = (y >> bit) & 1;
        distance += std::uint64_t{side} * side * ((3 * right) ^ lower);
        x &= side - 1;
        y &= side - 1;
        turn_quadrant(side, x, y, right, lower);
    }
    return first_id_of(zoom_) + distance;
}

std::uint64_t TileCoord::ids_up_to(int zoom) {
    return first_id_of(zoom + 1);
}

std::optional<TileCoord> TileCoord::from_id(std::uint64_t id) {
    int zoom = 0;
    while (zoom <= max_zoom_level && id >= first_id_of(zoom + 1)) ++zoom;
    if (zoom > max_zoom_level) return std::nullopt;
    std::uint64_t rest = id - first_id_of(zoom);
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    for (int bit = 0; bit < zoom; ++bit) {
        const std::uint32_t side = std::uint32_t{1} << bit;
        const auto right = static_cast<std::uint32_t>((rest >> 1) & 1);
        const auto lower = static_cast<std::uint32_t>((rest ^ right) & 1);
        turn_quadrant(side, x, y, right, lower);
        x += right * side;
        y += lower * side;
        rest >>= 2;
    }
    return TileCoord(zoom, x, y);
}

std::optional<TileCoord> TileCoord::parent() const {
    if (zoom_ == 0) return std::nullopt;
    return TileCoord(zoom_ - 1, column_ / 2, row_ / 2);
}

PixelRect intersect(const PixelRect& a, const PixelRect& b) {
    const std::int64_t x = std::max(a.x, b.x);
    const std::int64_t y = std::max(a.y, b.y);
    const PixelRect both{x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
    return both.empty() ? PixelRect{} : both;
}

Result<PyramidShape> PyramidShape::make(std::int64_t width, std::int64_t height, int tile_size) {
    if (tile_size < 1 || tile_size > 4096) return internal_error("tile size " + std::to_string(tile_size));
    const std::int64_t longest = std::max(width, height);
    if (width < 1 || height < 1 || longest > std::int64_t{tile_size} << max_zoom_level) {
        return internal_error("no pyramid for " + std::to_string(width) + "x" + std::to_string(height));
    }
    const std::uint32_t tiles = tiles_along(longest, tile_size);
    return PyramidShape({width, height}, tile_size, static_cast<int>(std::bit_width(tiles - 1)));
}

PixelSize PyramidShape::size_at(int zoom) const {
    return {halve_up(size_.width, max_zoom_ - zoom), halve_up(size_.height, max_zoom_ - zoom)};
}

std::uint32_t PyramidShape::columns_at(int zoom) const {
    return tiles_along(size_at(zoom).width, tile_size_);
}

std::uint32_t PyramidShape::rows_at(int zoom) const {
    return tiles_along(size_at(zoom).height, tile_size_);
}

std::uint64_t PyramidShape::tile_count() const {
    std::uint64_t count = 0;
    for (int zoom = 0; zoom <= max_zoom_; ++zoom) count += std::uint64_t{columns_at(zoom)} * rows_at(zoom);
    return count;
}

bool PyramidShape::contains(TileCoord tile) const {
    return tile.zoom() <= max_zoom_ && tile.column() < columns_at(tile.zoom()) && tile.row() < rows_at(tile.zoom());
}

PixelRect PyramidShape::picture_in(TileCoord tile) const {
    if (tile.zoom() > max_zoom_) return {};
    const PixelSize size = size_at(tile.zoom());
    const PixelRect square{std::int64_t{tile.column()} * tile_size_, std::int64_t{tile.row()} * tile_size_, tile_size_,
                           tile_size_};
    return intersect(square, {0, 0, size.width, size.height});
}

PixelRect PyramidShape::project(const PixelRect& full_size, int zoom) const {
    const PixelRect cut = intersect(full_size, {0, 0, size_.width, size_.height});
    if (cut.empty()) return {};
    const int shift = max_zoom_ - zoom;
    const std::int64_t x = cut.x >> shift;
    const std::int64_t y = cut.y >> shift;
    return {x, y, ((cut.right() - 1) >> shift) + 1 - x, ((cut.bottom() - 1) >> shift) + 1 - y};
}

TileRange PyramidShape::tiles_touching(const PixelRect& full_size, int zoom) const {
    const PixelRect at_zoom = project(full_size, zoom);
    if (at_zoom.empty()) return {.zoom = zoom};
    return {.zoom = zoom,
            .first_column = static_cast<std::uint32_t>(at_zoom.x / tile_size_),
            .first_row = static_cast<std::uint32_t>(at_zoom.y / tile_size_),
            .end_column = tiles_along(at_zoom.right(), tile_size_),
            .end_row = tiles_along(at_zoom.bottom(), tile_size_)};
}

}  // namespace tessera::tiles
