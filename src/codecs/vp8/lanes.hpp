// Sixteen numbers side by side: one for each block of a macroblock, or for each way to predict a block. All of them are
// worked on at once.
#pragma once

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

TESSERA_INLINE Lanes all(int value) {
    return Lanes{} + static_cast<std::int16_t>(value);
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

TESSERA_INLINE int sum(const Lanes& a) {
    int result = 0;
    for (int i = 0; i < lanes; ++i) result += a[i];
    return result;
}

}  // namespace tessera::codecs::vp8
