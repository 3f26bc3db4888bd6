// How a macroblock is best coded: the modes that predict it, and the levels of what they miss.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/vp8/costs.hpp"
#include "codecs/vp8/frame.hpp"
#include "codecs/vp8/place.hpp"
#include "codecs/vp8/quantiser.hpp"

namespace tessera::codecs::vp8 {

// Which blocks above or to the left have levels: four of luma, two of each colour, and the means of luma.
struct Neighbours {
    std::uint8_t luma[4] = {};
    std::uint8_t chroma[4] = {};
    std::uint8_t luma_dcs = 0;
};

// What is known before: the macroblock's own pixels, and those above and to the left as a decoder has them.
struct Surroundings {
    alignas(32) std::uint8_t luma[256];
    alignas(32) std::uint8_t chroma[128];  // 64 of one colour and 64 of the other
    std::uint8_t* decoded[3];              // the macroblock's first pixel in each plane; there is room for it
    std::ptrdiff_t stride[3];
    const std::uint8_t* modes_above;  // of four blocks
    const std::uint8_t* modes_left;
    Neighbours above;
    Neighbours left;
    bool first_row;
    bool first_column;

    [[nodiscard]] Place place(int plane) const { return {decoded[plane], stride[plane], !first_row, !first_column}; }
};

// Levels are in the order of zigzag; with them, the last one that is not zero, or one before the first.
struct Macroblock {
    Modes modes;
    alignas(32) std::int16_t luma_dcs[16];  // of a macroblock with one mode
    alignas(32) std::int16_t luma[16][16];
    alignas(32) std::int16_t chroma[8][16];
    std::int8_t last_of_dcs;
    std::int8_t last_of_luma[16];
    std::int8_t last_of_chroma[8];
};

// Writes to `around.decoded` what a decoder will have.
void code_macroblock(const Surroundings& around, const Quantiser& quantiser, const TokenCosts& costs, Macroblock& out);

}  // namespace tessera::codecs::vp8
