// Reads the PNG files that our own encoder writes: eight bits a sample or a palette, not interlaced.
#pragma once

#include <cstdint>
#include <span>

#include "imaging/tile/tile_image.hpp"

namespace tessera::imaging {

// Fills `tile`, which is rgb or rgba and of the file's size. False for a file that is damaged or of another kind.
bool decode_png_tile(std::span<const std::uint8_t> bytes, ImageBuffer& tile);

}  // namespace tessera::imaging
