// What a tile's rows look like.
#include <cstring>

#include "codecs/png/tile_reader.hpp"

namespace tessera::codecs {
namespace {

Colour pixel_of(const PngTile& tile, const std::uint8_t* row, std::size_t x) {
    switch (tile.colour) {
        case PngColourType::palette: {
            const auto depth = static_cast<std::size_t>(tile.bit_depth);
            const std::size_t bit = x * depth;
            const unsigned number = row[bit / 8] >> (8 - depth - bit % 8) & ((1U << depth) - 1U);
            return tile.palette[number];
        }
        case PngColourType::grey: return {row[x], row[x], row[x], 255};
        case PngColourType::grey_alpha: return {row[2 * x], row[2 * x], row[2 * x], row[2 * x + 1]};
        case PngColourType::rgb: return {row[3 * x], row[3 * x + 1], row[3 * x + 2], 255};
        case PngColourType::rgba: break;
    }
    return {row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]};
}

}  // namespace

void PngTile::paint_row(int y, std::uint8_t* out, std::size_t out_bytes) const {
    const std::uint8_t* from = row(y);
    if (static_cast<std::size_t>(channels()) == out_bytes) {
        std::memcpy(out, from, row_bytes);
        return;
    }
    if (colour == PngColourType::rgb) {
        for (int x = 0; x < width; ++x, out += out_bytes, from += 3) {
            std::uint32_t pixel = 0;  // and a byte of the next one, or of the slack
            std::memcpy(&pixel, from, sizeof pixel);
            pixel |= 0xFF000000U;
            std::memcpy(out, &pixel, sizeof pixel);
        }
        return;
    }
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x, out += out_bytes) {
        const Colour pixel = pixel_of(*this, from, x);
        out[0] = pixel.red;
        out[1] = pixel.green;
        out[2] = pixel.blue;
        if (out_bytes == 4) out[3] = pixel.alpha;
    }
}

void PngTile::paint(ImageBuffer& tile, const PngRows& which) const {
    const auto out_bytes = static_cast<std::size_t>(bytes_per_pixel(tile.layout()));
    for (int y = which.top; y < which.bottom; ++y) paint_row(y, tile.row(0, y), out_bytes);
}

bool PngTile::shows(const ImageBuffer& tile, const PngRows& which) const {
    const auto out_bytes = static_cast<std::size_t>(bytes_per_pixel(tile.layout()));
    std::vector<std::uint8_t> own(static_cast<std::size_t>(width) * out_bytes);
    for (int y = which.top; y < which.bottom; ++y) {
        paint_row(y, own.data(), out_bytes);
        if (std::memcmp(own.data(), tile.row(0, y), own.size()) != 0) return false;
    }
    return true;
}

}  // namespace tessera::codecs
