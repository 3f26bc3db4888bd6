// Section 13 of RFC 6386: the levels of a block.
#pragma once

#include <cstdint>

#include "codecs/vp8/decode/bool_reader.hpp"
#include "codecs/vp8/decode/frame_header.hpp"

namespace tessera::codecs::vp8 {

// Of the tree of tokens by place in a block instead of band; one more for what would follow the last.
struct PlaceProbabilities {
    std::uint8_t of[17][contexts][token_nodes];
};

// Reads them and multiplies them by their steps. Coefficients are written where each place has a row of sixteen blocks.
// Returns how many of the block's places were told of: as many as `first` if none.
int read_levels(BoolReader& tokens, const PlaceProbabilities& probabilities, int context, int first,
                const Dequantiser::Steps& steps, std::int16_t* out);

}  // namespace tessera::codecs::vp8
