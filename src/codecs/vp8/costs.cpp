#include "codecs/vp8/costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "codecs/vp8/trees.hpp"

namespace tessera::codecs::vp8 {
namespace {

// By the chances of 256.
const std::array<std::uint16_t, 257>& bit_costs() {
    static const std::array<std::uint16_t, 257> costs = [] {
        std::array<std::uint16_t, 257> table{};
        for (int chances = 1; chances <= 256; ++chances) {
            table[static_cast<std::size_t>(chances)] =
                static_cast<std::uint16_t>(std::lround(-std::log2(chances / 256.0) * one_bit));
        }
        table[0] = table[1];
        return table;
    }();
    return costs;
}

// The bits behind a token: those of a range, and the sign.
int cost_behind(int level) {
    if (level == 0) return 0;
    int cost = one_bit;
    for_each_bit_behind(level, [&](int zero, bool bit) { cost += cost_of_bit(bit, zero); });
    return cost;
}

// Of the token alone, from whether it is zero on.
int cost_of_token(int level, const std::uint8_t* p) {
    if (level == 0) return cost_of_bit(false, p[1]);
    int cost = cost_of_bit(true, p[1]);
    for_each_bit_of_token(level, [&](int node, bool bit) { cost += cost_of_bit(bit, p[node]); });
    return cost;
}

// What is told behind a level's token, and whether it has another one than the level before.
struct CostBehind {
    int cost = 0;
    bool new_token = false;
};
const std::array<CostBehind, largest_counted_level + 1>& costs_behind() {
    static const std::array<CostBehind, largest_counted_level + 1> costs = [] {
        std::array<CostBehind, largest_counted_level + 1> table{};
        for (int level = 0; level <= largest_counted_level; ++level) {
            const LevelRange* range = range_of(level);
            table[static_cast<std::size_t>(level)] = {cost_behind(level), range == nullptr || range->first == level};
        }
        return table;
    }();
    return costs;
}

}  // namespace

int cost_of_bit(bool bit, int zero) {
    return bit_costs()[static_cast<std::size_t>(bit ? 256 - zero : zero)];
}

void TokenCosts::learn(const Probabilities& probabilities) {
    for (int kind = 0; kind < block_kinds; ++kind) {
        Place by_band[bands];
        for (int band = 0; band < bands; ++band) {
            for (int context = 0; context < contexts; ++context) {
                learn_place(by_band[band], context, probabilities.of[kind][band][context]);
            }
        }
        for (std::size_t i = 0; i < 16; ++i) places_[kind][i] = by_band[band_of[i]];
    }
}

void TokenCosts::learn_place(Place& place, int context, const std::uint8_t* p) {
    const int more = cost_of_bit(true, p[0]);
    place.end[context] = static_cast<std::uint16_t>(cost_of_bit(false, p[0]));
    place.more[context] = static_cast<std::uint16_t>(context == 0 ? more : 0);
    int token = 0;
    for (int level = 0; level <= largest_counted_level; ++level) {
        const CostBehind& behind = costs_behind()[static_cast<std::size_t>(level)];
        if (behind.new_token) token = cost_of_token(level, p) + (context == 0 ? 0 : more);
        place.level[context][level] = static_cast<std::uint16_t>(token + behind.cost);
    }
}

int TokenCosts::Place::large(int context, int size) const {
    return level[context][largest_counted_level] + cost_behind(size) - costs_behind()[largest_counted_level].cost;
}

ModeCosts::ModeCosts() {
    for (int above = 0; above < block_modes; ++above) {
        for (int left = 0; left < block_modes; ++left) {
            for (int mode = 0; mode < 16; ++mode) {
                int cost = 0;
                for_each_bit_of_mode(std::min(mode, block_modes - 1), [&](int node, bool bit) {
                    cost += cost_of_bit(bit, block_mode_probabilities[above][left][node]);
                });
                of[above][left][mode] = static_cast<std::int16_t>(cost);
            }
        }
    }
    of_blocks = cost_of_bit(false, probability_of_blocks);
    for (int mode = 0; mode < macroblock_modes; ++mode) {
        of_macroblock[mode] = cost_of_bit(true, probability_of_blocks);
        for_each_bit_of_macroblock_mode(mode,
                                        [&](int zero, bool bit) { of_macroblock[mode] += cost_of_bit(bit, zero); });
        of_chroma[mode] = 0;
        for_each_bit_of_chroma_mode(mode, [&](int zero, bool bit) { of_chroma[mode] += cost_of_bit(bit, zero); });
    }
}

const ModeCosts& mode_costs() {
    static const ModeCosts costs;
    return costs;
}

}  // namespace tessera::codecs::vp8
