// Inside imaging only: from coefficients to samples, in blocks smaller than those of the file: the transform of a
// block's lowest frequencies is the block, made smaller by the best filter there is for it.
#pragma once

#include <cstdint>

#include "imaging/jpeg/reduced/part.hpp"

namespace tessera::imaging {

// A row of blocks, to as many rows of samples as blocks are high. There may be writing beyond their end, as far as 16
// blocks take.
void transform_row(ReducedPart& part, int block_row, std::uint8_t* out, std::size_t out_stride);

}  // namespace tessera::imaging
