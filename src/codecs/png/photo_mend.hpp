// A block of photo deflate whose bytes have changed here and there, written with the codes it has.
#pragma once

#include <optional>

#include "codecs/png/photo_inflate.hpp"

namespace tessera::codecs {

// In turns, bits that a block keeps (counted from its own first bit) and new ones.
struct BlockMend {
    std::size_t from = 0;
    std::size_t bits = 0;
    BitString then;
};
// `before` is what `stream` was inflated to, and `block` is one of its blocks. Nothing where most of it
// changed. Where none of it did, all of it is kept.
std::vector<BlockMend> photo_mend_block(std::span<const std::uint8_t> stream, const PhotoBlock& block,
                                        std::span<const std::uint8_t> before, std::span<const std::uint8_t> after);

}  // namespace tessera::codecs
