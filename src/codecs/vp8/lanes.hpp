// Sixteen numbers side by side: one for each block of a macroblock, or for each way to predict a block. All of them are
// worked on at once.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/simd.hpp"

// Lanes go to functions that become part of their callers, never between two that were compiled for other processors.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace tessera::codecs::vp8 {

inline constexpr int lanes = 16;
using Lanes = std::int16_t __attribute__((vector_size(32)));
// The same numbers where sums of them may be too large, as in a damaged file: those are defined for these alone.
using WrappingLanes = std::uint16_t __attribute__((vector_size(32)));
using Bytes = std::uint8_t __attribute__((vector_size(16)));

// By four at once: GCC 12 puts numbers of sixteen bits in one by one.
TESSERA_INLINE Lanes all(int value) {
    using Fours = std::uint64_t __attribute__((vector_size(32)));
    const std::uint64_t four = static_cast<std::uint16_t>(value) * std::uint64_t{0x0001000100010001};
    return std::bit_cast<Lanes>(Fours{four, four, four, four});
}
TESSERA_INLINE Lanes widened(const Bytes& bytes) {
    return __builtin_convertvector(bytes, Lanes);
}
TESSERA_INLINE Lanes load_bytes(const std::uint8_t* from) {
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return widened(bytes);
}
TESSERA_INLINE Lanes lesser(const Lanes& a, const Lanes& b) {
    return a < b ? a : b;
}
TESSERA_INLINE Lanes greater(const Lanes& a, const Lanes& b) {
    return a > b ? a : b;
}
TESSERA_INLINE Lanes cut_to_bytes(const Lanes& values) {
    return lesser(greater(values, all(0)), all(255));
}
TESSERA_INLINE Lanes magnitude(const Lanes& a) {
    return greater(a, -a);
}
// The upper half of a product.
TESSERA_INLINE Lanes scaled(const Lanes& a, int factor) {
    Lanes result;
    for (int i = 0; i < lanes; ++i) result[i] = static_cast<std::int16_t>((a[i] * factor) >> 16);
    return result;
}
// Of one the lower lanes and of the other the upper ones.
TESSERA_INLINE Lanes halves(const Lanes& lower, const Lanes& upper) {
    return __builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31);
}

// One number in the lower lanes and another in the upper ones. Not by `halves`: GCC 12 puts them in lane by lane then.
TESSERA_INLINE Lanes two_of(int lower, int upper) {
    constexpr Lanes lower_lanes = {-1, -1, -1, -1, -1, -1, -1, -1};
    return all(upper) ^ (all(lower ^ upper) & lower_lanes);
}

TESSERA_INLINE int sum(const Lanes& a) {
    int result = 0;
    for (int i = 0; i < lanes; ++i) result += a[i];
    return result;
}

}  // namespace tessera::codecs::vp8
