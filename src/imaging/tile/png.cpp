// PNG tiles: the smallest exact pixel type, our own choice of filters, and a quick encoder for photographs or
// libdeflate for the rest.
#include "codecs/png/encoder.hpp"
#include "codecs/png/tile_pixels.hpp"
#include "imaging/tile/codecs.hpp"

namespace tessera::imaging {
namespace {

int level_of(Effort effort) {
    switch (effort) {
        case Effort::quickest: return 2;
        case Effort::quick: return 6;
        case Effort::thorough: break;
    }
    return 9;
}

class PngTileEncoder final : public TileEncoder {
  public:
    explicit PngTileEncoder(Effort effort)
        : encoding_{.level = level_of(effort), .quick_photos = effort != Effort::thorough, .in_bands = true} {}

    Result<std::span<const std::uint8_t>> encode(const ImageView& tile) override {
        if (plane_count(tile.layout) != 1) return internal_error("PNG tiles are made from gray, rgb or rgba");
        codecs::choose_png_pixels(tile, pixels_);
        return encoder_.encode(pixels_, encoding_, tile.planes[0].data, tile.planes[0].stride);
    }

  private:
    codecs::PngEncoding encoding_;
    codecs::PngEncoder encoder_;
    codecs::PngPixels pixels_;
};

}  // namespace

std::unique_ptr<TileEncoder> make_png_tile_encoder(Effort effort) {
    return std::make_unique<PngTileEncoder>(effort);
}

}  // namespace tessera::imaging
