#include "imaging/tile/encoder.hpp"

#include "imaging/tile/codecs.hpp"

namespace tessera::imaging {

Result<std::unique_ptr<TileEncoder>> TileEncoder::make(TileEncoding encoding) {
    switch (encoding.format) {
        case ImageFormat::jpeg: return make_jpeg_tile_encoder(encoding.quality);
        case ImageFormat::png: return make_png_tile_encoder(encoding.effort);
        case ImageFormat::webp: return make_webp_tile_encoder(encoding.quality);
        default: return internal_error("no tile encoder for " + std::string(to_string(encoding.format)));
    }
}

}  // namespace tessera::imaging
