// Deflate for the filtered rows of photographs, several times faster than a general encoder. What repeats there are
// runs of one byte at most, so that it looks for nothing else: Huffman codes do the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/bits/bit_string.hpp"

namespace tessera::codecs {

// Whether the bytes are of the kind it is for: little in them is equal to what came shortly before.
bool suits_photo_deflate(std::span<const std::uint8_t> data);

// Some bytes of the data, which are a block of deflate. No run goes on from one block into the next.
struct DeflateBlock {
    std::size_t begin = 0;
    std::size_t end = 0;
};
// The blocks that data is cut into as a rule, and those of so many bytes each.
std::vector<DeflateBlock> photo_blocks(std::size_t size);
std::vector<DeflateBlock> blocks_of_bytes(std::size_t size, std::size_t bytes);

// Where the bits of a block end in its stream, and the checksum of its bytes.
struct BlockNote {
    std::size_t end_bit = 0;
    std::uint32_t adler32 = 1;
};
// Appends `data`, which may not be empty, as a zlib stream of these blocks.
std::vector<BlockNote> photo_deflate(std::span<const std::uint8_t> data, std::span<const DeflateBlock> blocks,
                                     std::vector<std::uint8_t>& out);

// The bits of one block.
BitString photo_deflate_block(std::span<const std::uint8_t> data, DeflateBlock block);

}  // namespace tessera::codecs
