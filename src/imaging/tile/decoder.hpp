// Decodes single tiles that our own encoders made.
#pragma once

#include <cstdint>
#include <span>

#include "core/image_format.hpp"
#include "core/pixels.hpp"
#include "core/result.hpp"

namespace tessera::imaging {

// A tile of tile_size by tile_size pixels as rgb or rgba; anything else in the bytes is an error.
Result<ImageBuffer> decode_tile(ImageFormat format, std::span<const std::uint8_t> bytes, int tile_size,
                                PixelLayout layout);

}  // namespace tessera::imaging
