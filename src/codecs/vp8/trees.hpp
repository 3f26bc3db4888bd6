// The trees of RFC 6386: which bits stand for a level or a mode. Whoever counts or writes them sees the same.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {

// Section 13.2: levels from 5 on share tokens, and more bits tell which one it is.
struct LevelRange {
    int first;
    std::span<const std::uint8_t> probabilities;  // of those bits
    std::array<std::uint8_t, 3> nodes;            // of the tree of tokens, from the sixth on
    std::array<bool, 3> bits;
    int depth;
};
inline constexpr std::uint8_t range_1[] = {159};
inline constexpr std::uint8_t range_2[] = {165, 145};
inline constexpr std::uint8_t range_3[] = {173, 148, 140};
inline constexpr std::uint8_t range_4[] = {176, 155, 140, 135};
inline constexpr std::uint8_t range_5[] = {180, 157, 141, 134, 130};
inline constexpr std::uint8_t range_6[] = {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129};
inline constexpr LevelRange level_ranges[] = {
    {5, range_1, {6, 7, 0}, {false, false, false}, 2}, {7, range_2, {6, 7, 0}, {false, true, false}, 2},
    {11, range_3, {6, 8, 9}, {true, false, false}, 3}, {19, range_4, {6, 8, 9}, {true, false, true}, 3},
    {35, range_5, {6, 8, 10}, {true, true, false}, 3}, {67, range_6, {6, 8, 10}, {true, true, true}, 3}};

// Nothing for levels with a token of their own.
constexpr const LevelRange* range_of(int level) {
    const LevelRange* found = nullptr;
    for (const LevelRange& range : level_ranges) {
        if (level >= range.first) found = &range;
    }
    return found;
}

// From whether the level is 1 on. take(node, bit) of the tree of tokens.
template <typename Take>
void for_each_bit_of_token(int level, Take take) {
    take(2, level > 1);
    if (level == 1) return;
    take(3, level > 4);
    if (level <= 4) {
        take(4, level > 2);
        if (level > 2) take(5, level == 4);
        return;
    }
    const LevelRange& range = *range_of(level);
    for (int i = 0; i < range.depth; ++i)
        take(range.nodes[static_cast<std::size_t>(i)], range.bits[static_cast<std::size_t>(i)]);
}

// The bits that follow a token of many levels. take(probability of 0, bit).
template <typename Take>
void for_each_bit_behind(int level, Take take) {
    const LevelRange* const range = range_of(level);
    if (range == nullptr) return;
    auto left = static_cast<int>(range->probabilities.size());
    for (const std::uint8_t zero : range->probabilities) take(zero, ((level - range->first) >> --left & 1) != 0);
}

// Section 11.2. take(node, bit) of the tree of a block's modes.
template <typename Take>
void for_each_bit_of_mode(int mode, Take take) {
    take(0, mode != from_mean);
    if (mode == from_mean) return;
    take(1, mode != from_slope);
    if (mode == from_slope) return;
    take(2, mode != from_above);
    if (mode == from_above) return;
    const bool leans = mode == down_left || mode == vertical_left || mode == horizontal_down || mode == horizontal_up;
    take(3, leans);
    if (!leans) {
        take(4, mode != from_left);
        if (mode != from_left) take(5, mode == vertical_right);
        return;
    }
    take(6, mode != down_left);
    if (mode == down_left) return;
    take(7, mode != vertical_left);
    if (mode != vertical_left) take(8, mode == horizontal_up);
}

// That a macroblock has a mode for each block.
inline constexpr int probability_of_blocks = 145;

// take(probability of 0, bit) of a macroblock with one mode for all of its pixels, and of its colour.
template <typename Take>
void for_each_bit_of_macroblock_mode(int mode, Take take) {
    const bool second = mode == from_left || mode == from_slope;
    take(156, second);
    if (second) {
        take(128, mode == from_slope);
    } else {
        take(163, mode == from_above);
    }
}
template <typename Take>
void for_each_bit_of_chroma_mode(int mode, Take take) {
    take(142, mode != from_mean);
    if (mode == from_mean) return;
    take(114, mode != from_above);
    if (mode != from_above) take(183, mode == from_slope);
}

}  // namespace tessera::codecs::vp8
