// A tile that is decoded and encoded as a whole.
#include "imaging/tile/decoder.hpp"
#include "tiles/patch/formats.hpp"

namespace tessera::tiles {
namespace {

class WholeCanvas final : public PatchCanvas {
  public:
    WholeCanvas(ImageBuffer pixels, Bytes original, DirtyCells dirty)
        : PatchCanvas(std::move(original), std::move(dirty)) {
        pixels_ = std::move(pixels);
    }

  private:
    bool take_changes() override { return true; }
    std::optional<Bytes> recipe() override { return std::nullopt; }
    Result<Bytes> whole(imaging::TileEncoder& encoder, Effort /*effort*/) override { return encode_pixels(encoder); }
};

}  // namespace

std::shared_ptr<PatchCanvas> make_whole_canvas(ImageBuffer pixels, Bytes original, DirtyCells dirty) {
    return std::make_shared<WholeCanvas>(std::move(pixels), std::move(original), std::move(dirty));
}

CanvasResult open_whole_canvas(ImageFormat format, Bytes original, int tile_size, DirtyCells dirty) {
    auto pixels = imaging::decode_tile(format, original, tile_size, PixelLayout::rgba);
    if (!pixels) return pixels.error();
    return make_whole_canvas(std::move(*pixels), std::move(original), std::move(dirty));
}

}  // namespace tessera::tiles
