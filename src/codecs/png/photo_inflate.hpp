// Inflates what photo_deflate made, and knows afterwards where the bits of each byte lie: what a patch needs. It takes
// nothing for granted: a stream that is coded in another way, or is damaged, is refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/bits/huffman_code.hpp"
#include "codecs/png/photo_deflate.hpp"

namespace tessera::codecs {

// A symbol of the stream: the first byte that it stands for, and its own first bit.
struct PhotoMark {
    std::uint32_t byte = 0;
    std::uint32_t bit = 0;
};
// About as many bytes lie between two marks of a block.
inline constexpr std::size_t photo_mark_step = 64;

// One block of the stream, as its header says.
struct PhotoBlock {
    DeflateBlock bytes;
    std::size_t first_bit = 0;
    std::size_t bits = 0;                // in all
    bool stands_alone = false;           // its first symbol is surely no run that goes on from the byte ahead
    std::array<HuffmanCode, 286> codes;  // every byte has one
    std::vector<PhotoMark> marks;        // the first one is of the block's first symbol
};

// In their order.
using PhotoBlocks = std::vector<PhotoBlock>;

// Bytes that are read after the end of a stream, whatever they are.
inline constexpr std::size_t photo_inflate_slack = 16;

// `stream` is deflate's own, with photo_inflate_slack after it; `size` bytes of `out` must be what it holds. Gives all
// blocks.
std::optional<PhotoBlocks> photo_inflate(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                         std::size_t size);

// A block of which all this is known.
struct PlacedBlock {
    DeflateBlock bytes;
    std::size_t first_bit = 0;  // within the stream
    std::size_t end_bit = 0;
    bool is_last = false;
};
// Some blocks of such a stream, each of which stands alone: no other bytes of `out` are looked at or set.
std::optional<PhotoBlocks> photo_inflate_blocks(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                                std::span<const PlacedBlock> placed);
// Whether the last block may well begin and end there, without reading what is between: its header is one of ours, and
// before its end there is what ends a block, and after it nothing.
bool photo_may_end_with(std::span<const std::uint8_t> stream, const PlacedBlock& last);

}  // namespace tessera::codecs
