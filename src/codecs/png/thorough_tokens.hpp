// Inside thorough deflate only: what a stream is made of, and the symbols that stand for it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/png/photo_walk.hpp"

namespace tessera::codecs::thorough {

constexpr std::size_t shortest_match = 3;
constexpr std::size_t longest_match = photo::longest_run;
constexpr std::size_t length_symbols = photo::symbols;  // of bytes, the end of a block, and lengths
constexpr std::size_t distance_symbols = 30;

// A byte, or as many bytes as there were so far back.
struct Token {
    std::uint16_t length = 1;  // 1: a byte
    std::uint16_t value = 0;   // the byte, or the distance
    [[nodiscard]] bool is_byte() const { return length == 1; }
};

struct DistanceCode {
    std::uint16_t symbol = 0;
    std::uint16_t extra_bits = 0;
    std::uint16_t extra = 0;
};

// Deflate's symbols for distances: two of one each, then pairs that double.
inline DistanceCode distance_code(std::uint32_t distance) {
    const std::uint32_t above = distance - 1;
    if (above < 2) return {static_cast<std::uint16_t>(above), 0, 0};
    const auto bits = static_cast<std::uint32_t>(std::bit_width(above)) - 2;
    return {static_cast<std::uint16_t>(2 * bits + (above >> bits)), static_cast<std::uint16_t>(bits),
            static_cast<std::uint16_t>(above & ((1U << bits) - 1))};
}

inline std::uint32_t extra_bits_of_distance(std::size_t symbol) {
    return symbol < 4 ? 0 : static_cast<std::uint32_t>(symbol) / 2 - 1;
}

// How often each symbol occurs.
struct Counts {
    std::array<std::uint32_t, length_symbols> lengths{};
    std::array<std::uint32_t, distance_symbols> distances{};

    void add(const Token& token) {
        if (token.is_byte()) {
            ++lengths[token.value];
        } else {
            ++lengths[photo::run_codes[token.length].symbol];
            ++distances[distance_code(token.value).symbol];
        }
    }
};

inline Counts count(std::span<const Token> tokens) {
    Counts counts;
    for (const Token& token : tokens) counts.add(token);
    counts.lengths[photo::end_of_block] = 1;
    return counts;
}

}  // namespace tessera::codecs::thorough
