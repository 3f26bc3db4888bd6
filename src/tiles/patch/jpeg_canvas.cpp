// A JPEG tile is changed block by block: what is not dirty keeps its very coefficients.
#include <cstring>

#include "codecs/recipe/jpeg_recipe.hpp"
#include "tiles/patch/formats.hpp"

namespace tessera::tiles {
namespace {

class JpegCanvas final : public PatchCanvas {
  public:
    JpegCanvas(codecs::JpegBlocks blocks, Bytes original, DirtyCells dirty)
        : PatchCanvas(std::move(original), std::move(dirty)), blocks_(std::move(blocks)) {
        const int tile_size = blocks_.now().tile_size();
        pixels_ = ImageBuffer(blocks_.layout(), tile_size, tile_size);
        for_each_dirty_block([&](int plane, int column, int row) { blocks_.decode(plane, column, row, pixels_); });
    }

  private:
    // Blocks that any dirty cell lies in: one each, or one for four where a plane is halved.
    template <typename Visit>
    void for_each_dirty_block(Visit visit) const {
        for (int plane = 0; plane < plane_count(pixels_.layout()); ++plane) {
            const int shift = plane_shift(pixels_.layout(), plane);
            blocks_.now().each_block_in(plane, [&](int column, int row) {
                bool dirty = false;
                for (int i = 0; i < 1 << (2 * shift); ++i) {
                    dirty = dirty || dirty_.has((column << shift) + i % 2, (row << shift) + i / 2);
                }
                if (dirty) visit(plane, column, row);
            });
        }
    }
    bool take_changes() override {
        for_each_dirty_block([&](int plane, int column, int row) { blocks_.encode(plane, column, row, pixels_); });
        return blocks_.changed();
    }
    std::optional<Bytes> recipe() override {
        if (!base_) return codecs::jpeg_recipe(blocks_);
        const auto below = codecs::JpegBlocks::open(*base_, blocks_.now().tile_size());
        return below ? codecs::jpeg_recipe(*below, blocks_) : std::nullopt;
    }
    Result<Bytes> whole(imaging::TileEncoder& /*encoder*/, Effort effort) override { return blocks_.finish(effort); }

    codecs::JpegBlocks blocks_;
};

// Patches may bring colour: a gray tile gets planes for it, and is encoded as a whole.
ImageBuffer with_colour(const codecs::JpegBlocks& gray, PixelLayout layout) {
    const int size = gray.now().tile_size();
    ImageBuffer luma(PixelLayout::gray, size, size);
    gray.now().each_block_in(0, [&](int column, int row) { gray.decode(0, column, row, luma); });
    ImageBuffer pixels(layout, size, size);
    fill_rectangle(pixels, 0, 0, size, size, Colour{128, 128, 128, 255});
    for (int y = 0; y < size; ++y) std::memcpy(pixels.row(0, y), luma.row(0, y), static_cast<std::size_t>(size));
    return pixels;
}

}  // namespace

CanvasResult open_jpeg_canvas(int quality, Bytes original, int tile_size, DirtyCells dirty) {
    auto blocks = codecs::JpegBlocks::open(original, tile_size);
    if (!blocks) return blocks.error();
    if (blocks->layout() == PixelLayout::gray) {
        const bool full = quality >= imaging::full_colour_jpeg_quality;
        return make_whole_canvas(with_colour(*blocks, full ? PixelLayout::ycbcr444 : PixelLayout::ycbcr420),
                                 std::move(original), std::move(dirty));
    }
    return std::shared_ptr<PatchCanvas>(
        std::make_shared<JpegCanvas>(std::move(*blocks), std::move(original), std::move(dirty)));
}

}  // namespace tessera::tiles
