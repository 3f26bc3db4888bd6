// Sections 12 and 14 of RFC 6386: pixels from what predicts them and the coefficients of what that missed. Inside
// macroblock_row.cpp only.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "codecs/vp8/block_predictions.hpp"
#include "codecs/vp8/place.hpp"
#include "codecs/vp8/transform.hpp"

namespace tessera::codecs::vp8 {

// Sixteen blocks: of each place, the coefficients of all.
struct Coefficients {
    alignas(32) std::int16_t of[16][16];
};
// The differences that they make: rows of four blocks side by side.
struct Differences {
    alignas(32) std::int16_t rows[16][16];
};

template <int... at>
TESSERA_INLINE Lanes mixed(const Lanes& a, const Lanes& b) {
    return __builtin_shufflevector(a, b, at...);
}

// Blocks are in the order of their rows: the first four make the first four rows.
TESSERA_INLINE void differences_of(const Coefficients& coefficients, Differences& out) {
    WrappingLanes sums[16];
    for (int i = 0; i < 16; ++i) std::memcpy(&sums[i], coefficients.of[i], sizeof sums[i]);
    inverse(sums);
    Lanes places[16];
    for (int i = 0; i < 16; ++i) places[i] = std::bit_cast<Lanes>(sums[i]);
    for (std::ptrdiff_t row = 0; row < 4; ++row) {
        const Lanes* const four = places + 4 * row;
        const Lanes first = mixed<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(four[0], four[1]);
        const Lanes second = mixed<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(four[2], four[3]);
        const Lanes third = mixed<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(four[0], four[1]);
        const Lanes fourth = mixed<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(four[2], four[3]);
        const Lanes rows[4] = {mixed<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>(first, second),
                               mixed<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>(first, second),
                               mixed<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>(third, fourth),
                               mixed<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>(third, fourth)};
        for (std::ptrdiff_t blocks = 0; blocks < 4; ++blocks) {
            std::memcpy(out.rows[4 * blocks + row], &rows[blocks], sizeof rows[blocks]);
        }
    }
}

TESSERA_INLINE Bytes corrected(const Lanes& predicted, const std::int16_t* differences) {
    Lanes added;
    std::memcpy(&added, differences, sizeof added);
    return __builtin_convertvector(cut_to_bytes(predicted + added), Bytes);
}

// All of a plane's pixels by one mode, as many at once as there are lanes.
struct WholePrediction {
    int mode;
    Lanes above;
    int corner;
    int mean;

    [[nodiscard]] TESSERA_INLINE Lanes beside(const Lanes& left) const {
        switch (mode) {
            case from_above: return above;
            case from_left: return left;
            case from_slope: return cut_to_bytes(above + left - all(corner));
            default: return all(mean);
        }
    }
};

TESSERA_INLINE void reconstruct_luma(int mode, const Place& place, const Differences& differences) {
    const int mean = mode == from_mean ? mean_of_edge(place, 16) : 0;
    const WholePrediction prediction{mode, load_bytes(place.at - place.stride), place.at[-place.stride - 1], mean};
    for (int y = 0; y < 16; ++y) {
        std::uint8_t* const row = place.at + y * place.stride;
        const Bytes pixels = corrected(prediction.beside(all(row[-1])), differences.rows[y]);
        std::memcpy(row, &pixels, 16);
    }
}
// `rows`: each has eight pixels of the upper blocks, and then those four rows below.
TESSERA_INLINE void reconstruct_chroma(int mode, const Place& place, const std::int16_t (*rows)[16]) {
    const int mean = mode == from_mean ? mean_of_edge(place, 8) : 0;
    const Lanes above = load_bytes(place.at - place.stride);
    const WholePrediction prediction{mode, mixed<0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7>(above, above),
                                     place.at[-place.stride - 1], mean};
    for (int y = 0; y < 4; ++y) {
        std::uint8_t* const upper = place.at + y * place.stride;
        std::uint8_t* const lower = upper + 4 * place.stride;
        const Lanes left = two_of(upper[-1], lower[-1]);
        const Bytes pixels = corrected(prediction.beside(left), rows[y]);
        std::uint64_t both[2];
        std::memcpy(both, &pixels, sizeof both);
        std::memcpy(upper, &both[0], 8);
        std::memcpy(lower, &both[1], 8);
    }
}

// Lane by lane one of the first, or from 16 on one of the second.
TESSERA_INLINE Bytes picked(const Bytes& first, const Bytes& second, const std::array<std::uint8_t, 16>& which) {
    Bytes picks;
    std::memcpy(&picks, which.data(), sizeof picks);
#ifdef __clang__
    Bytes result;
    for (int i = 0; i < 16; ++i) result[i] = picks[i] < 16 ? first[picks[i]] : second[picks[i] - 16];
    return result;
#else
    return __builtin_shuffle(first, second, picks);
#endif
}

// A block in a mode of its own. `right` has the four pixels behind those above it.
TESSERA_INLINE Bytes predicted_block(int mode, const std::uint8_t* at, std::ptrdiff_t stride,
                                     const std::uint8_t* right) {
    if (mode == from_slope) return predictions::slope(at, stride);
    const predictions::EdgeMeans means = predictions::means_of_edge(at, stride, right);
    return picked(means.threes, means.twos, predictions::picks[static_cast<std::size_t>(mode)]);
}

TESSERA_INLINE void reconstruct_blocks(const std::uint8_t* modes, const Place& place, const Differences& differences) {
    const std::ptrdiff_t stride = place.stride;
    // Blocks at the right see the macroblock above to the right, whichever row they are in.
    const std::uint8_t* const right_of_all = place.at - stride + 16;
    for (int block = 0; block < 16; ++block) {
        const int x = block % 4 * 4;
        const int y = block / 4 * 4;
        std::uint8_t* const first = place.at + y * stride + x;
        const std::uint8_t* const right = x == 12 ? right_of_all : first - stride + 4;
        std::int16_t added[16];
        for (std::ptrdiff_t row = 0; row < 4; ++row) std::memcpy(added + 4 * row, differences.rows[y + row] + x, 8);
        const Bytes pixels = corrected(widened(predicted_block(modes[block], first, stride, right)), added);
        std::uint32_t rows[4];
        std::memcpy(rows, &pixels, sizeof rows);
        for (int row = 0; row < 4; ++row) std::memcpy(first + row * stride, &rows[row], 4);
    }
}

}  // namespace tessera::codecs::vp8
