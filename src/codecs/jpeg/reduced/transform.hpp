// From coefficients to samples, in blocks smaller than those of the file: the transform of a
// block's lowest frequencies is the block, made smaller by the best filter there is for it.
#pragma once

#include <cstdint>

#include "codecs/jpeg/reduced/component.hpp"

namespace tessera::codecs {

// A row of blocks, to as many rows of samples as blocks are high. There may be writing beyond their end, as far as 16
// blocks take.
void transform_row(ReducedComponent& component, int block_row, std::uint8_t* out, std::size_t out_stride);

}  // namespace tessera::codecs
