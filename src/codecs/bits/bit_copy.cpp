#include "codecs/bits/bit_copy.hpp"

#include <cstring>

#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

std::uint64_t load64(const std::uint8_t* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

}  // namespace

TESSERA_VECTORISED
void copy_lowest_first(const std::uint8_t* __restrict from, unsigned first, std::uint8_t* __restrict to,
                       std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) {
        // The second one begins a byte later: what both have in common is the same there.
        const std::uint64_t word = load64(from + 8 * i) >> first | load64(from + 8 * i + 1) << (8 - first);
        std::memcpy(to + 8 * i, &word, sizeof word);
    }
}

}  // namespace tessera::codecs
