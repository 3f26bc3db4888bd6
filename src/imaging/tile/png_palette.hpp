// Finds the smallest PNG pixel type that holds a tile exactly: a palette, greyscale, or colour without alpha.
#pragma once

#include <cstdint>
#include <vector>

#include "imaging/png/colour_type.hpp"
#include "imaging/tile/tile_image.hpp"

namespace tessera::imaging {

struct PngPixels {
    PngColourType colour = PngColourType::rgb;
    int bit_depth = 8;
    std::vector<std::uint32_t> palette;  // 0xAABBGGRR, the transparent ones first
    // Rows that must be made from the tile's: empty where the tile's own rows will do.
    std::vector<std::uint8_t> rows;
    std::size_t row_bytes = 0;
};

// How a tile of gray, rgb or rgba is best kept. Cheap for photographs: it gives up where it sees too many colours.
void choose_png_pixels(const ImageView& tile, PngPixels& chosen);

}  // namespace tessera::imaging
