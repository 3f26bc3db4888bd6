// Inside thorough deflate only: where one code ends and the next one begins, what the codes are, and how they are
// written.
#pragma once

#include <span>
#include <vector>

#include "codecs/png/thorough_tokens.hpp"

namespace tessera::codecs::thorough {

// Numbers of tokens, each of which is the end of a block: so that blocks are short in all, as far as entropy tells.
std::vector<std::size_t> ends_of_blocks(std::span<const Token> tokens);

struct LengthToken {
    std::uint8_t symbol;  // 0 to 15: a length; 16: the one before again; 17 and 18: zeros
    std::uint8_t extra_bits = 0;
    std::uint8_t extra = 0;
};

struct BlockCode {
    std::array<HuffmanCode, length_symbols> lengths;
    std::array<HuffmanCode, distance_symbols> distances;
    // The header's.
    std::vector<LengthToken> shown;
    std::array<HuffmanCode, 19> shown_codes;
    std::size_t bits = 0;  // of all of the block
};

BlockCode make_code(const Counts& counts);
void write_block(photo::DeflateWriter& writer, std::span<const Token> tokens, const BlockCode& code, bool is_last);

}  // namespace tessera::codecs::thorough
