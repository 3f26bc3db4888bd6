// Huffman codes of limited length, as deflate uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::codecs {

struct HuffmanCode {
    std::uint16_t bits = 0;    // the first bit of the code lowest, as deflate's stream wants it
    std::uint16_t length = 0;  // 0: the symbol does not occur
};

// The best code for symbols that occur that often, with none longer than `longest` bits. At least two must occur, and
// no more than 2^longest.
void make_huffman_code(std::span<const std::uint32_t> counts, int longest, std::span<HuffmanCode> codes);

inline constexpr std::size_t longest_huffman_code = 15;
// Gives codes their bits by their lengths, as deflate does: those of one length are consecutive numbers, in the order
// of their symbols. The lengths must leave room for each other.
void number_huffman_code(std::span<HuffmanCode> codes);

}  // namespace tessera::codecs
