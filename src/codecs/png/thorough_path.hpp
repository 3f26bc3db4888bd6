// Inside thorough deflate only: the shortest way to write some bytes where the price of every symbol is known.
#pragma once

#include <span>
#include <vector>

#include "codecs/png/thorough_matches.hpp"

namespace tessera::codecs::thorough {

// In parts of a bit, with the extra bits of lengths and distances.
struct Prices {
    static constexpr std::uint32_t bit = 64;
    std::array<std::uint32_t, 256> bytes;
    std::array<std::uint32_t, longest_match + 1> lengths;
    std::array<std::uint32_t, distance_symbols> distances;
    std::size_t end = 0;  // the number of bytes from the start that they are valid up to
};

// By entropy of bytes, where nothing is known of matches yet.
Prices first_prices(const Counts& counts);
// By the codes that these make.
Prices prices_of(const Counts& counts);

// Keeps its buffers.
class PathFinder {
  public:
    // `bytes` are at most 4 Mi.
    void find(std::span<const std::uint8_t> bytes, const Matches& matches, std::span<const Prices> prices,
              std::vector<Token>& tokens);

  private:
    std::vector<std::uint32_t> least_;  // price from a place to the end
    std::vector<Token> next_;           // the token that it is paid for first
};

}  // namespace tessera::codecs::thorough
