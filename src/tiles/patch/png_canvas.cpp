// Of a PNG tile only the bands that the change lies in are read, where it has bands; or else the rows that the change
// lies in, and those above them, are unfiltered. The others stay as they are stored where a recipe can be made.
#include <algorithm>

#include "codecs/png/tile_reader.hpp"
#include "codecs/recipe/png_recipe.hpp"
#include "tiles/patch/formats.hpp"

namespace tessera::tiles {
namespace {

using Pieces = std::vector<codecs::PngRows>;

Pieces rows_of(const DirtyCells& dirty) {
    Pieces pieces;
    for (const DirtyCells::Rows& rows : dirty.rows()) pieces.push_back({rows.top, rows.bottom});
    return pieces;
}

class PngCanvas final : public PatchCanvas {
  public:
    PngCanvas(codecs::PngTile tile, Bytes original, DirtyCells dirty)
        : PatchCanvas(std::move(original), std::move(dirty)), tile_(std::move(tile)), rows_(rows_of(dirty_)) {
        pixels_ = ImageBuffer(PixelLayout::rgba, tile_.width, tile_.height);
        for (const codecs::PngRows& rows : rows_) tile_.paint(pixels_, rows);
    }

  private:
    // The same pixels may be other bytes, since effort differs.
    bool take_changes() override {
        return !std::ranges::all_of(rows_, [&](const codecs::PngRows& rows) { return tile_.shows(pixels_, rows); });
    }
    std::optional<Bytes> recipe() override {
        const ImageView after = pixels_.view();
        if (!base_) return codecs::png_recipe(original_, tile_, {tile_, after, rows_});
        // Earlier patches may have changed any rows of the base.
        const int bottom = rows_.empty() ? 0 : rows_.back().bottom;
        const auto below = codecs::read_png_tile(*base_, tile_.width, bottom + 1);
        if (!below || !(tile_.is_whole() || read_all())) return std::nullopt;
        return codecs::png_recipe(*base_, *below, {tile_, after, rows_});
    }
    Result<Bytes> whole(imaging::TileEncoder& encoder, Effort /*effort*/) override {
        // What is above and below the change nobody looked at meanwhile.
        if (!read_all()) return internal_error("a png tile can't be decoded");
        int done = 0;
        for (const codecs::PngRows& rows : rows_) {
            tile_.paint(pixels_, {done, rows.top});
            done = rows.bottom;
        }
        tile_.paint(pixels_, {done, tile_.height});
        return encode_pixels(encoder);
    }
    bool read_all() {
        if (tile_.is_whole()) return tile_.make_ready(tile_.height);
        auto tile = codecs::read_png_tile(original_, tile_.width);
        if (tile) tile_ = std::move(*tile);
        return tile.has_value();
    }

    codecs::PngTile tile_;
    Pieces rows_;
};

}  // namespace

CanvasResult open_png_canvas(Bytes original, int tile_size, DirtyCells dirty) {
    auto tile = codecs::read_png_rows(original, tile_size, rows_of(dirty));
    if (!tile) return internal_error("a png tile can't be decoded");
    return std::shared_ptr<PatchCanvas>(
        std::make_shared<PngCanvas>(std::move(*tile), std::move(original), std::move(dirty)));
}

}  // namespace tessera::tiles
