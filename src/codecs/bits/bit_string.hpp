// Bits in memory: a string of them, and those at any place. JPEG fills bytes from the top, deflate from the bottom.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tessera::codecs {

enum class BitOrder { first_is_highest, first_is_lowest };

// Bits in the order of their stream, packed as it packs them.
struct BitString {
    std::vector<std::uint8_t> bytes;
    std::size_t count = 0;
};

static_assert(std::endian::native == std::endian::little, "words are loaded and stored as they lie");

// Who reads bits a word at a time needs so many bytes after the last one of interest.
inline constexpr std::size_t bit_slack = 8;

// Up to 56 bits at a bit's place.
template <BitOrder order>
std::uint64_t bits_at(const std::uint8_t* bytes, std::size_t place, unsigned count) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + place / 8, sizeof word);
    if constexpr (order == BitOrder::first_is_lowest) {
        return word >> (place % 8) & ((std::uint64_t{1} << count) - 1);
    } else {
        return count == 0 ? 0 : __builtin_bswap64(word) << (place % 8) >> (64 - count);
    }
}

}  // namespace tessera::codecs
