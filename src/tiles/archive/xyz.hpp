// XYZ arithmetic in checked types: which tiles a picture has, how large it is at each zoom, and which tiles a
// rectangle touches. Zoom 0 is one tile, each zoom doubles, the highest zoom is full size, row 0 is at the top.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/result.hpp"
#include "core/tileset.hpp"

namespace tessera::tiles {

// A tile's place in the grid of its zoom: always column, row < 2^zoom.
class TileCoord {
  public:
    static std::optional<TileCoord> make(std::int64_t zoom, std::int64_t column, std::int64_t row);
    // From the decimal parts of a URL: digits alone, no sign, no leading zero, so that a tile has one address.
    static std::optional<TileCoord> parse(std::string_view zoom, std::string_view column, std::string_view row);
    // The place that a PMTiles id names.
    static std::optional<TileCoord> from_id(std::uint64_t id);
    // How many ids there are from zoom 0 to `zoom`: all of them are below this.
    static std::uint64_t ids_up_to(int zoom);

    [[nodiscard]] int zoom() const { return zoom_; }
    [[nodiscard]] std::uint32_t column() const { return column_; }
    [[nodiscard]] std::uint32_t row() const { return row_; }
    // Position along the Hilbert curves of all zooms in turn, as PMTiles numbers tiles.
    [[nodiscard]] std::uint64_t id() const;
    // The tile one zoom out that shows this one; zoom 0 has none.
    [[nodiscard]] std::optional<TileCoord> parent() const;

    auto operator<=>(const TileCoord&) const = default;

  private:
    TileCoord(int zoom, std::uint32_t column, std::uint32_t row) : zoom_(zoom), column_(column), row_(row) {}
    int zoom_;
    std::uint32_t column_;
    std::uint32_t row_;
};

struct PixelSize {
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool operator==(const PixelSize&) const = default;
};

struct PixelRect {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;

    [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
    [[nodiscard]] std::int64_t right() const { return x + width; }
    [[nodiscard]] std::int64_t bottom() const { return y + height; }
    bool operator==(const PixelRect&) const = default;
};

PixelRect intersect(const PixelRect& a, const PixelRect& b);

// A block of tiles of one zoom; the ends are exclusive.
struct TileRange {
    int zoom = 0;
    std::uint32_t first_column = 0;
    std::uint32_t first_row = 0;
    std::uint32_t end_column = 0;
    std::uint32_t end_row = 0;

    [[nodiscard]] std::uint64_t count() const {
        return std::uint64_t{end_column - first_column} * (end_row - first_row);
    }
    bool operator==(const TileRange&) const = default;
};

// The pyramid of a picture of a given size.
class PyramidShape {
  public:
    static Result<PyramidShape> make(std::int64_t width, std::int64_t height, int tile_size);

    [[nodiscard]] PixelSize size() const { return size_; }
    [[nodiscard]] int tile_size() const { return tile_size_; }
    [[nodiscard]] int max_zoom() const { return max_zoom_; }

    // The picture's size at a zoom: halved, and rounded up, once for each zoom below the highest.
    [[nodiscard]] PixelSize size_at(int zoom) const;
    [[nodiscard]] std::uint32_t columns_at(int zoom) const;
    [[nodiscard]] std::uint32_t rows_at(int zoom) const;
    [[nodiscard]] std::uint64_t tile_count() const;  // over all zooms

    // Whether any pixel of the picture is in the tile.
    [[nodiscard]] bool contains(TileCoord tile) const;
    // The part of the picture at the tile's zoom that the tile shows: less than a whole tile at the right and bottom.
    [[nodiscard]] PixelRect picture_in(TileCoord tile) const;
    // The picture's pixels at `zoom` that depend on a rectangle of full-size pixels, which is cut to the picture.
    [[nodiscard]] PixelRect project(const PixelRect& full_size, int zoom) const;
    [[nodiscard]] TileRange tiles_touching(const PixelRect& full_size, int zoom) const;

  private:
    PyramidShape(PixelSize size, int tile_size, int max_zoom)
        : size_(size), tile_size_(tile_size), max_zoom_(max_zoom) {}
    PixelSize size_;
    int tile_size_;
    int max_zoom_;
};

}  // namespace tessera::tiles
