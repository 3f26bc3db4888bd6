// The coefficients of a square JPEG tile.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/pixels.hpp"

namespace tessera::codecs {

// Of each plane's blocks, row by row; 64 to a block, row by row.
class BlockPlanes {
  public:
    static constexpr int block_side = 8;
    static constexpr int block_size = 64;

    BlockPlanes() = default;
    // gray, ycbcr420 or ycbcr444; the tile is whole MCUs.
    BlockPlanes(PixelLayout layout, int tile_size) : layout_(layout), tile_size_(tile_size) {
        for (int plane = 0; plane < plane_count(layout); ++plane) {
            coefficients_[static_cast<std::size_t>(plane)].resize(
                static_cast<std::size_t>(block_size * across(plane) * across(plane)));
        }
    }

    [[nodiscard]] PixelLayout layout() const { return layout_; }
    [[nodiscard]] int tile_size() const { return tile_size_; }
    [[nodiscard]] int planes() const { return plane_count(layout_); }
    // Blocks in a row or a column of a plane.
    [[nodiscard]] int across(int plane) const { return tile_size_ / block_side >> plane_shift(layout_, plane); }
    [[nodiscard]] std::int16_t* block(int plane, int column, int row) {
        return coefficients_[static_cast<std::size_t>(plane)].data() +
               std::ptrdiff_t{block_size} * (std::ptrdiff_t{row} * across(plane) + column);
    }
    [[nodiscard]] const std::int16_t* block(int plane, int column, int row) const {
        return const_cast<BlockPlanes*>(this)->block(plane, column, row);
    }

    [[nodiscard]] int mcus_across() const {
        return tile_size_ / block_side >> (layout_ == PixelLayout::ycbcr420 ? 1 : 0);
    }
    [[nodiscard]] int mcus() const { return mcus_across() * mcus_across(); }
    // The blocks of an MCU in the order of a scan, until `visit(plane, column, row)` says false.
    template <typename Visit>
    bool each_block_of(int mcu, Visit visit) const {
        const int mcu_column = mcu % mcus_across();
        const int mcu_row = mcu / mcus_across();
        for (int plane = 0; plane < planes(); ++plane) {
            const int count = across(plane) / mcus_across();  // across and down
            for (int i = 0; i < count * count; ++i) {
                if (!visit(plane, mcu_column * count + i % count, mcu_row * count + i / count)) return false;
            }
        }
        return true;
    }
    // All blocks of a plane.
    template <typename Visit>
    void each_block_in(int plane, Visit visit) const {
        const int count = across(plane);
        for (int i = 0; i < count * count; ++i) visit(i % count, i / count);
    }
    // Whether an MCU has the same coefficients there.
    [[nodiscard]] bool has_same(int mcu, const BlockPlanes& other) const {
        return each_block_of(mcu, [&](int plane, int column, int row) {
            return std::equal(block(plane, column, row), block(plane, column, row) + block_size,
                              other.block(plane, column, row));
        });
    }

  private:
    PixelLayout layout_ = PixelLayout::gray;
    int tile_size_ = 0;
    std::array<std::vector<std::int16_t>, 3> coefficients_;
};

}  // namespace tessera::codecs
