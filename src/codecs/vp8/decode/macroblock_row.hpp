// A row of macroblocks: its levels are read and its pixels predicted, up to the filter at the edges of blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/vp8/decode/bool_reader.hpp"
#include "codecs/vp8/decode/frame_header.hpp"
#include "codecs/vp8/decode/levels.hpp"
#include "codecs/vp8/decode/modes.hpp"
#include "codecs/vp8/macroblock.hpp"

namespace tessera::codecs::vp8 {

struct MacroblockRow {
    int across = 0;
    bool is_first = false;
    const CodedModes* modes = nullptr;  // of each macroblock
    const Dequantiser* dequantisers = nullptr;
    const PlaceProbabilities* probabilities = nullptr;  // of each kind of block
    Neighbours* above = nullptr;                        // of each macroblock
    // The first pixel. There is a row above it, with four pixels more than the macroblocks have, and a column before.
    std::uint8_t* planes[3] = {};
    std::ptrdiff_t strides[3] = {};
};

// False where the tokens end early.
bool decode_macroblock_row(const MacroblockRow& row, BoolReader& tokens);

}  // namespace tessera::codecs::vp8
