// Section 12.3 of RFC 6386: the ten ways to predict a block of sixteen pixels, all of them at once, a lane for each.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "codecs/vp8/lanes.hpp"
#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {

// A place of every prediction: Bytes of it are lanes of modes.
using BlockPredictions = Bytes[16];

namespace predictions {

// The edge from the last pixel on the left, over the corner, to the eighth above, its ends twice; of this, means of
// three neighbours (weighted 1, 2, 1) and of two. Every prediction but the slope picks from those.
constexpr int whole_mean = 13;  // in places of means of three that would be left
constexpr int last_on_left = 14;
constexpr int three(int edge) {
    return edge + 1;
}
constexpr int two(int edge) {
    return lanes + edge;
}
inline constexpr std::array<std::array<std::uint8_t, 16>, block_modes> picks = [] {
    std::array<std::array<std::uint8_t, 16>, block_modes> all{};
    const auto set = [&](BlockMode mode, int row, int column, int pick) {
        all[mode][static_cast<std::size_t>(row * 4 + column)] = static_cast<std::uint8_t>(pick);
    };
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            set(from_mean, row, column, whole_mean);
            set(from_above, row, column, three(4 + column));
            set(from_left, row, column, three(2 - row));
            set(down_left, row, column, three(5 + row + column));
            set(down_right, row, column, three(3 - row + column));
            // Every second row or column is between two pixels of the edge.
            const int steep = 2 * column - row;
            set(vertical_right, row, column,
                steep < -1 ? three(4 + steep)
                           : (row % 2 == 0 ? two(4 + column - row / 2) : three(3 + column - row / 2)));
            const int flat = 2 * row - column;
            set(horizontal_down, row, column,
                flat < -1 ? three(2 - flat)
                          : (column % 2 == 0 ? two(3 - row + column / 2) : three(3 - row + column / 2)));
            set(vertical_left, row, column, row % 2 == 0 ? two(5 + column + row / 2) : three(5 + column + row / 2));
            const int up = 2 * row + column;
            set(horizontal_up, row, column,
                up > 5 ? last_on_left : (up % 2 == 0 ? two(2 - up / 2) : three(1 - up / 2)));
        }
    }
    // At their ends these two do not go on as they began.
    set(vertical_left, 2, 3, three(9));
    set(vertical_left, 3, 3, three(10));
    return all;
}();

template <std::size_t place, std::size_t... mode>
TESSERA_INLINE Bytes at_place(const Bytes& threes, const Bytes& twos, const Bytes& slopes,
                              std::index_sequence<mode...> /*lanes*/) {
    const Bytes picked = __builtin_shufflevector(threes, twos, (mode < block_modes ? picks[mode][place] : 15)...);
    return __builtin_shufflevector(picked, slopes, (mode == from_slope ? lanes + place : mode)...);
}

template <std::size_t... place>
TESSERA_INLINE void at_places(BlockPredictions& out, const Bytes& threes, const Bytes& twos, const Bytes& slopes,
                              std::index_sequence<place...> /*places*/) {
    ((out[place] = at_place<place>(threes, twos, slopes, std::make_index_sequence<lanes>())), ...);
}

TESSERA_INLINE Bytes as_bytes(std::uint64_t low, std::uint64_t high) {
    using Pair = std::uint64_t __attribute__((vector_size(16)));
    return std::bit_cast<Bytes>(Pair{low, high});
}

struct EdgeMeans {
    Bytes threes;
    Bytes twos;
};

// `at` is the block's first pixel, and `right` has the four pixels behind those above it. The edge is put together in
// two registers: bytes that were just stored would have to be waited for.
TESSERA_INLINE EdgeMeans means_of_edge(const std::uint8_t* at, std::ptrdiff_t stride, const std::uint8_t* right) {
    static_assert(std::endian::native == std::endian::little);
    const std::uint8_t* const above = at - stride;
    std::uint64_t left[4];
    for (int i = 0; i < 4; ++i) left[i] = at[i * stride - 1];
    std::uint32_t ahead = 0;
    std::uint32_t behind = 0;
    std::memcpy(&ahead, above, 4);
    std::memcpy(&behind, right, 4);
    const std::uint64_t top = ahead | std::uint64_t{behind} << 32;
    const std::uint64_t low = left[3] | left[3] << 8 | left[2] << 16 | left[1] << 24 | left[0] << 32 |
                              std::uint64_t{above[-1]} << 40 | top << 48;
    const std::uint64_t high = top >> 16 | top >> 56 << 48;
    const Lanes first = widened(as_bytes(low, high));
    const Lanes second = widened(as_bytes(low >> 8 | high << 56, high >> 8));
    const Lanes third = widened(as_bytes(low >> 16 | high << 48, high >> 16));
    EdgeMeans means{__builtin_convertvector((first + second + second + third + 2) >> 2, Bytes),
                    __builtin_convertvector((second + third + 1) >> 1, Bytes)};
    const std::uint64_t total = left[0] + left[1] + left[2] + left[3] + above[0] + above[1] + above[2] + above[3] + 4;
    means.threes[whole_mean] = static_cast<std::uint8_t>(total >> 3);
    means.threes[last_on_left] = static_cast<std::uint8_t>(left[3]);
    return means;
}

TESSERA_INLINE Bytes slope(const std::uint8_t* at, std::ptrdiff_t stride) {
    const std::uint8_t* const above = at - stride;
    Lanes slopes;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            slopes[row * 4 + column] = static_cast<std::int16_t>(at[row * stride - 1] + above[column] - above[-1]);
        }
    }
    return __builtin_convertvector(cut_to_bytes(slopes), Bytes);
}

}  // namespace predictions

// `at` is the block's first pixel: those before it and in the row above, eight of them, are there already.
TESSERA_INLINE void predict_block(const std::uint8_t* at, std::ptrdiff_t stride, BlockPredictions& out) {
    using namespace predictions;
    const EdgeMeans means = means_of_edge(at, stride, at - stride + 4);
    at_places(out, means.threes, means.twos, slope(at, stride), std::make_index_sequence<16>());
}

}  // namespace tessera::codecs::vp8
