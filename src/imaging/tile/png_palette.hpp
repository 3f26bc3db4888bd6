// Finds the smallest PNG pixel type that holds a tile exactly: a palette, greyscale, or colour without alpha.
#pragma once

#include <cstdint>
#include <vector>

#include "imaging/tile/tile_image.hpp"

namespace tessera::imaging {

enum class PngColour : std::uint8_t { gray = 0, rgb = 2, palette = 3, gray_alpha = 4, rgba = 6 };

struct PngPixels {
    PngColour colour = PngColour::rgb;
    int bit_depth = 8;
    std::vector<std::uint32_t> palette;  // 0xAABBGGRR, the transparent ones first
    // Rows that must be made from the tile's: empty where the tile's own rows will do.
    std::vector<std::uint8_t> rows;
    std::size_t row_bytes = 0;
};

// How a tile of gray, rgb or rgba is best kept. Cheap for photographs: it gives up where it sees too many colours.
void choose_png_pixels(const ImageView& tile, PngPixels& chosen);

}  // namespace tessera::imaging
