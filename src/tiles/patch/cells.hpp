// Which parts of a tile a patch touches: cells of 8 by 8 pixels, and single pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "tiles/archive/xyz.hpp"

namespace tessera::tiles {

inline constexpr int cell_size = 8;

// Which cells of a tile are touched.
class DirtyCells {
  public:
    explicit DirtyCells(int tile_size)
        : across_(tile_size / cell_size),
          cells_(static_cast<std::size_t>(across_) * static_cast<std::size_t>(across_)) {}
    void add(const PixelRect& area);  // in pixels of the tile, and inside it
    [[nodiscard]] bool has(int column, int row) const { return cells_[index(column, row)]; }
    [[nodiscard]] int across() const { return across_; }
    [[nodiscard]] bool any() const;
    // The rows of pixels that they lie in, from top to bottom, in pieces that do not touch each other.
    struct Rows {
        int top = 0;
        int bottom = 0;  // not included
    };
    [[nodiscard]] std::vector<Rows> rows() const;

    template <typename Visit>
    void for_each(Visit visit) const {
        for (int row = 0; row < across_; ++row) {
            for (int column = 0; column < across_; ++column) {
                if (has(column, row)) visit(column, row);
            }
        }
    }

  private:
    [[nodiscard]] std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(across_) + static_cast<std::size_t>(column);
    }
    int across_;
    std::vector<bool> cells_;
};

// The cells of the tile above that the dirty cells of a child come to lie in; `column` and `row` (0 or 1) say which
// quarter it is.
void add_half(const DirtyCells& child, int column, int row, DirtyCells& parent);

// Single pixels of a tile.
class PixelSet {
  public:
    explicit PixelSet(int tile_size)
        : size_(tile_size), pixels_(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_)) {}
    void set(const PixelRect& area, bool member);  // inside the tile
    [[nodiscard]] bool has(std::int64_t x, std::int64_t y) const {
        return pixels_[static_cast<std::size_t>(y * size_ + x)] != 0;
    }
    // Whether it has any of the pixels under a sample of a plane that is halved so often.
    [[nodiscard]] bool has_any(std::int64_t x, std::int64_t y, int shift) const {
        if (shift == 0) return has(x, y);
        return has(2 * x, 2 * y) || has(2 * x + 1, 2 * y) || has(2 * x, 2 * y + 1) || has(2 * x + 1, 2 * y + 1);
    }
    [[nodiscard]] bool any() const;
    // Those of this set that are in any of the areas.
    [[nodiscard]] PixelSet within(const std::vector<PixelRect>& areas) const;
    void remove(const PixelSet& others);

  private:
    std::int64_t size_;
    std::vector<std::uint8_t> pixels_;
};

}  // namespace tessera::tiles
