// Of a PNG tile only the rows that the change lies in, and those above them, are unfiltered; the others stay as they
// are stored where a recipe can be made.
#include "codecs/png/tile_reader.hpp"
#include "codecs/recipe/png_recipe.hpp"
#include "tiles/patch/formats.hpp"

namespace tessera::tiles {
namespace {

class PngCanvas final : public PatchCanvas {
  public:
    PngCanvas(codecs::PngTile tile, Bytes original, DirtyCells dirty)
        : PatchCanvas(std::move(original), std::move(dirty)), tile_(std::move(tile)), rows_(dirty_.rows()) {
        pixels_ = ImageBuffer(PixelLayout::rgba, tile_.width, tile_.height);
        tile_.paint(pixels_, rows_.top, rows_.bottom);
    }

  private:
    // The same pixels may be other bytes, since effort differs.
    bool take_changes() override { return !tile_.shows(pixels_, rows_.top, rows_.bottom); }
    std::optional<Bytes> recipe() override {
        const ImageView after = pixels_.view();
        const codecs::ChangedPng changed{tile_, after, rows_.top, rows_.bottom};
        if (!base_) return codecs::png_recipe(original_, tile_, changed);
        const auto below = codecs::read_png_tile(*base_, tile_.width, rows_.bottom + 1);
        return below ? codecs::png_recipe(*base_, *below, changed) : std::nullopt;
    }
    Result<Bytes> whole(imaging::TileEncoder& encoder, Effort /*effort*/) override {
        // What is above and below the change nobody looked at meanwhile.
        if (!tile_.make_ready(tile_.height)) return internal_error("a png tile can't be decoded");
        tile_.paint(pixels_, 0, rows_.top);
        tile_.paint(pixels_, rows_.bottom, tile_.height);
        return encode_pixels(encoder);
    }

    codecs::PngTile tile_;
    DirtyCells::Rows rows_;
};

}  // namespace

CanvasResult open_png_canvas(Bytes original, int tile_size, DirtyCells dirty) {
    auto tile = codecs::read_png_tile(original, tile_size, dirty.rows().bottom + 1);
    if (!tile) return internal_error("a png tile can't be decoded");
    return std::shared_ptr<PatchCanvas>(
        std::make_shared<PngCanvas>(std::move(*tile), std::move(original), std::move(dirty)));
}

}  // namespace tessera::tiles
