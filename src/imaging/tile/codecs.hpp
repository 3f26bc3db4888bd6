// The encoders behind TileEncoder::make, one for each format. For encoder.cpp alone.
#pragma once

#include <memory>

#include "imaging/tile/encoder.hpp"

namespace tessera::imaging {

std::unique_ptr<TileEncoder> make_jpeg_tile_encoder(int quality);
std::unique_ptr<TileEncoder> make_png_tile_encoder(Effort effort);
std::unique_ptr<TileEncoder> make_webp_tile_encoder(int quality);

}  // namespace tessera::imaging
