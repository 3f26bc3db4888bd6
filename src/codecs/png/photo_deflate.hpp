// Deflate for the filtered rows of photographs, several times faster than a general encoder. What repeats there are
// runs of one byte at most, so that it looks for nothing else: Huffman codes do the rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/bits/bit_string.hpp"
#include "codecs/bits/huffman_code.hpp"

namespace tessera::codecs {

// Whether the bytes are of the kind it is for: little in them is equal to what came shortly before.
bool suits_photo_deflate(std::span<const std::uint8_t> data);

// Appends `data`, which may not be empty, as a zlib stream.
void photo_deflate(std::span<const std::uint8_t> data, std::vector<std::uint8_t>& out);

// The blocks of deflate that it cuts so much data into, how one of them begins and how many bits it takes, and the
// bits.
struct DeflateBlock {
    std::size_t begin = 0;
    std::size_t end = 0;
};
std::vector<DeflateBlock> photo_blocks(std::size_t size);
struct BlockOutline {
    BitString header;
    std::size_t bits = 0;  // in all
    std::array<HuffmanCode, 286> codes;
};
BlockOutline photo_block_outline(std::span<const std::uint8_t> data, DeflateBlock block);
BitString photo_deflate_block(std::span<const std::uint8_t> data, DeflateBlock block, const BlockOutline& outline);

// A block whose bytes have changed here and there, written with the codes it has: in turns, bits that it keeps (counted
// from its own first bit) and new ones. Nothing where most of it changed.
struct BlockMend {
    std::size_t from = 0;
    std::size_t bits = 0;
    BitString then;
};
std::vector<BlockMend> photo_mend_block(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after,
                                        DeflateBlock block, const BlockOutline& outline);

}  // namespace tessera::codecs
