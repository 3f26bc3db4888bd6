// One tile of a tileset while it is being changed. What changes is kept in cells of 8 by 8 pixels: only they are
// decoded and encoded where the format allows that (JPEG), and only they count for the tile above.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/image_format.hpp"
#include "core/result.hpp"
#include "imaging/jpeg/blocks.hpp"
#include "imaging/tile/encoder.hpp"
#include "imaging/tile/png_decoder.hpp"
#include "tiles/archive.hpp"
#include "tiles/xyz.hpp"

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
    // The rows of pixels that they lie in, the last one not included.
    struct Rows {
        int top = 0;
        int bottom = 0;
    };
    [[nodiscard]] Rows rows() const;

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

class PatchCanvas {
  public:
    // `original` is the tile as it is now. Only the dirty cells of pixels() may be used afterwards.
    static Result<std::shared_ptr<PatchCanvas>> open(const imaging::TileEncoding& encoding, Bytes original,
                                                     int tile_size, DirtyCells dirty);

    [[nodiscard]] imaging::ImageBuffer& pixels() { return pixels_; }
    [[nodiscard]] const imaging::ImageBuffer& pixels() const { return pixels_; }
    [[nodiscard]] const DirtyCells& dirty() const { return dirty_; }
    [[nodiscard]] const Bytes& original() const { return original_; }

    // Takes back, from an earlier state of the tile, the pixels that `wanted` has: what a lossy format has made of them
    // since is forgotten.
    void take_back(const PatchCanvas& earlier, const PixelSet& wanted);

    // Halves the dirty cells of a child into this tile; `column` and `row` (0 or 1) say which quarter it is, and
    // `width` and `height` how much of the child is picture.
    Result<void> take_half(const PatchCanvas& child, int column, int row, std::int64_t width, std::int64_t height);

    // The tile in the base of the stack, where the original is not from there: what a recipe starts from.
    void set_base(Bytes base) { base_ = std::move(base); }

    // The changed tile, or a recipe for it where that is much shorter; or the original where nothing came out
    // otherwise. Pixels are only read.
    Result<Bytes> encode(imaging::TileEncoder& encoder, imaging::Effort effort);

  private:
    explicit PatchCanvas(DirtyCells dirty) : dirty_(std::move(dirty)) {}
    Result<void> open_jpeg(const imaging::TileEncoding& encoding, int tile_size);
    Result<void> open_png(int tile_size);
    template <typename Visit>
    void for_each_dirty_block(int plane, Visit visit) const;
    [[nodiscard]] std::optional<Bytes> recipe();
    [[nodiscard]] std::optional<Bytes> png_recipe() const;

    DirtyCells dirty_;
    Bytes original_;
    std::optional<Bytes> base_;
    imaging::ImageBuffer pixels_;
    std::optional<imaging::PngTile> png_;          // what the original holds, of a PNG tile
    std::unique_ptr<imaging::JpegBlocks> blocks_;  // of a JPEG tile that is changed block by block
};

// The cells of the tile above that the dirty cells of a child come to lie in.
void add_half(const DirtyCells& child, int column, int row, DirtyCells& parent);

}  // namespace tessera::tiles
