// Inflates what photo_deflate made, and knows afterwards where the bits of each byte lie: what a patch needs. It takes
// nothing for granted: a stream that is cut or coded in another way, or is damaged, is refused.
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
inline constexpr std::size_t photo_mark_step = 256;

// One block of the stream, as its header says.
struct PhotoBlock {
    DeflateBlock bytes;
    std::size_t first_bit = 0;
    std::size_t bits = 0;                // in all
    std::array<HuffmanCode, 286> codes;  // every byte has one
    std::vector<PhotoMark> marks;        // the first one is of the block's first symbol
};

// All of them, in their order.
using PhotoBlocks = std::vector<PhotoBlock>;

// Bytes that are read after the end of a stream, whatever they are.
inline constexpr std::size_t photo_inflate_slack = 16;
// Bytes after `size` that may be written.
inline constexpr std::size_t photo_inflate_room = 16;

// `stream` is deflate's own, with photo_inflate_slack after it; `out` has photo_inflate_room after `size` bytes, which
// must be what the stream holds.
std::optional<PhotoBlocks> photo_inflate(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                         std::size_t size);

}  // namespace tessera::codecs
