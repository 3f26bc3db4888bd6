// One tile of a tileset while it is being changed. What changes is kept in cells of 8 by 8 pixels: only they count for
// the tile above, and only they are decoded and encoded where the format allows that. How, is for each format's own
// canvas: block by block (JPEG), row by row (PNG), or the tile as a whole.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/effort.hpp"
#include "core/pixels.hpp"
#include "core/result.hpp"
#include "imaging/tile/encoder.hpp"
#include "tiles/archive/archive.hpp"
#include "tiles/patch/cells.hpp"

namespace tessera::tiles {

class PatchCanvas {
  public:
    // `original` is the tile as it is now. Only the dirty cells of pixels() may be used afterwards.
    static Result<std::shared_ptr<PatchCanvas>> open(const imaging::TileEncoding& encoding, Bytes original,
                                                     int tile_size, DirtyCells dirty);
    PatchCanvas(const PatchCanvas&) = delete;
    PatchCanvas& operator=(const PatchCanvas&) = delete;
    virtual ~PatchCanvas() = default;

    [[nodiscard]] ImageBuffer& pixels() { return pixels_; }
    [[nodiscard]] const ImageBuffer& pixels() const { return pixels_; }
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
    Result<Bytes> encode(imaging::TileEncoder& encoder, Effort effort);

  protected:
    PatchCanvas(Bytes original, DirtyCells dirty) : original_(std::move(original)), dirty_(std::move(dirty)) {}

    // The three steps of encode(), in their order. False where the tile is as it was:
    virtual bool take_changes() = 0;
    virtual std::optional<Bytes> recipe() = 0;
    virtual Result<Bytes> whole(imaging::TileEncoder& encoder, Effort effort) = 0;
    // Encodes all of pixels().
    Result<Bytes> encode_pixels(imaging::TileEncoder& encoder) const;

    Bytes original_;
    DirtyCells dirty_;
    std::optional<Bytes> base_;
    ImageBuffer pixels_;
};

}  // namespace tessera::tiles
