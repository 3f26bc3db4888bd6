// Inside imaging only: a libvips picture whose pixels are those of another, each mapped by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <vips/vips8>

namespace tessera::imaging {

// Maps a run of pixels, as they lie in memory. Several threads call it at the same time.
using PixelMap = std::function<void(const std::uint8_t* from, std::uint8_t* to, std::uint32_t pixels)>;

// A picture with eight bits a sample, otherwise like `source`. Throws VError.
vips::VImage mapped(const vips::VImage& source, int bands, VipsInterpretation meaning, PixelMap map);

}  // namespace tessera::imaging
