// Pixels in one of PNG's own formats.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/png/colour_type.hpp"

namespace tessera::codecs {

constexpr std::size_t most_png_colours = 256;  // of a palette

struct PngPixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    PngColourType colour = PngColourType::rgb;
    int bit_depth = 8;                   // 16 is big-endian; less than 8 only with one channel
    std::vector<std::uint32_t> palette;  // 0xAABBGGRR, those that are not opaque first
    std::vector<std::uint8_t> rows;      // no padding between rows but to whole bytes

    [[nodiscard]] std::size_t row_bytes() const {
        const auto pixel_bits = static_cast<std::size_t>(channels_of(colour) * bit_depth);
        return (std::size_t{width} * pixel_bits + 7) / 8;
    }
};

// How many bits number so many colours or greys.
constexpr int png_depth_for(std::size_t values) {
    return values <= 2 ? 1 : values <= 4 ? 2 : values <= 16 ? 4 : 8;
}

// Packs numbers of `depth` bits, the first in the highest bits.
inline void pack_png_row(const std::uint8_t* numbers, std::size_t count, int depth, std::uint8_t* out) {
    const auto per_byte = static_cast<std::size_t>(8 / depth);
    for (std::size_t i = 0; i < count; i += per_byte) {
        unsigned byte = 0;
        for (std::size_t j = 0; j < per_byte; ++j) byte = byte << depth | (i + j < count ? numbers[i + j] : 0U);
        *out++ = static_cast<std::uint8_t>(byte);
    }
}

}  // namespace tessera::codecs
