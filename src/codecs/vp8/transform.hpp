// Section 14 of RFC 6386: the transforms of blocks of sixteen, for as many blocks as there are lanes, and for one. The
// ways back are exact to the bit, the ways there are as exact as encoding needs.
#pragma once

#include <algorithm>
#include <bit>

#include "codecs/vp8/lanes.hpp"

namespace tessera::codecs::vp8 {

// By the square root of two times the cosine and the sine of an eighth of pi.
TESSERA_INLINE Lanes by_cosine(const Lanes& a) {
    return a + scaled(a, 20091);
}
TESSERA_INLINE Lanes by_sine(const Lanes& a) {
    return a + scaled(a, 35468 - 65536);
}
TESSERA_INLINE WrappingLanes by_cosine(const WrappingLanes& a) {
    return a + std::bit_cast<WrappingLanes>(scaled(std::bit_cast<Lanes>(a), 20091));
}
TESSERA_INLINE WrappingLanes by_sine(const WrappingLanes& a) {
    return a + std::bit_cast<WrappingLanes>(scaled(std::bit_cast<Lanes>(a), 35468 - 65536));
}
TESSERA_INLINE int by_cosine(int a) {
    return a + ((a * 20091) >> 16);
}
TESSERA_INLINE int by_sine(int a) {
    return (a * 35468) >> 16;
}

TESSERA_INLINE void forward_four(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
    const Lanes outer = a + d;
    const Lanes inner = b + c;
    const Lanes outer_step = a - d;
    const Lanes inner_step = b - c;
    a = outer + inner;
    b = by_cosine(outer_step) + by_sine(inner_step);
    c = outer - inner;
    d = by_sine(outer_step) - by_cosine(inner_step);
}
// Differences of up to 255 become coefficients, each times 16.
TESSERA_INLINE void forward(Lanes (&block)[16]) {
    for (Lanes& place : block) place <<= 3;
    for (int i = 0; i < 4; ++i) forward_four(block[i], block[4 + i], block[8 + i], block[12 + i]);
    for (int i = 0; i < 16; i += 4) forward_four(block[i], block[i + 1], block[i + 2], block[i + 3]);
}

template <typename Number>
TESSERA_INLINE Number eighth_of(const Number& a) {
    return a >> 3;
}
TESSERA_INLINE WrappingLanes eighth_of(const WrappingLanes& a) {
    return std::bit_cast<WrappingLanes>(std::bit_cast<Lanes>(a) >> 3);
}

template <typename Number>
TESSERA_INLINE void inverse_four(Number& a, Number& b, Number& c, Number& d) {
    const Number sum = a + c;
    const Number difference = a - c;
    const Number low = by_sine(b) - by_cosine(d);
    const Number high = by_cosine(b) + by_sine(d);
    a = sum + high;
    b = difference + low;
    c = difference - low;
    d = sum - high;
}
// Coefficients become differences.
template <typename Number>
TESSERA_INLINE void inverse(Number (&block)[16]) {
    for (int i = 0; i < 4; ++i) inverse_four(block[i], block[4 + i], block[8 + i], block[12 + i]);
    for (int i = 0; i < 16; i += 4) {
        block[i] += 4;
        inverse_four(block[i], block[i + 1], block[i + 2], block[i + 3]);
    }
    for (Number& place : block) place = eighth_of(place);
}

// Of the sixteen means of a macroblock's blocks: there and back.
TESSERA_INLINE void hadamard(int (&block)[16]) {
    for (int i = 0; i < 4; ++i) {
        const int outer = block[i] + block[12 + i];
        const int inner = block[4 + i] + block[8 + i];
        const int inner_step = block[4 + i] - block[8 + i];
        const int outer_step = block[i] - block[12 + i];
        block[i] = outer + inner;
        block[4 + i] = inner_step + outer_step;
        block[8 + i] = outer - inner;
        block[12 + i] = outer_step - inner_step;
    }
    for (int i = 0; i < 16; i += 4) {
        const int outer = block[i] + block[i + 3];
        const int inner = block[i + 1] + block[i + 2];
        const int inner_step = block[i + 1] - block[i + 2];
        const int outer_step = block[i] - block[i + 3];
        block[i] = outer + inner;
        block[i + 1] = inner_step + outer_step;
        block[i + 2] = outer - inner;
        block[i + 3] = outer_step - inner_step;
    }
}

}  // namespace tessera::codecs::vp8
