// From coefficients to levels: many blocks side by side, then one with its bits in mind.
#pragma once

#include "codecs/vp8/costs.hpp"
#include "codecs/vp8/lanes.hpp"
#include "codecs/vp8/quantiser.hpp"

namespace tessera::codecs::vp8 {

// Errors are counted in 16ths of a step, squared.
using Score = std::int64_t;  // 256ths of such an error

// So much error is worth a bit: about what the last halving of a step had won for each bit it took.
constexpr int bit_worth = 18;
// Levels are chosen with less: what is lost of texture shows more than an error counts.
constexpr int bit_worth_of_luma_level = 16;
constexpr int bit_worth_of_chroma_level = 9;
// 16ths of a step that a coefficient must have above a level for the next one.
constexpr int rounding = 7;

TESSERA_INLINE Score score_of(int error, int bits) {
    return Score{error} * one_bit + Score{bits} * bit_worth;
}

// Blocks side by side, places in the order of zigzag.
struct Quantised {
    Lanes shares[16];  // coefficients in 16ths of a step
    Lanes levels[16];  // without their sign
    Lanes last;        // the place of the last level that is not zero, or one before the first
    Lanes error;
    Lanes bits;  // what levels will cost, roughly, as an error
};

TESSERA_INLINE Lanes level_of(const Lanes& size) {
    return (size + std::int16_t{rounding}) >> 4;
}
TESSERA_INLINE int level_of(int size) {
    return (size + rounding) >> 4;
}

// What a level at some place costs, as far as that can be told without those around it.
TESSERA_INLINE Lanes rough_bits(const Lanes& level, int place) {
    const Lanes one = (level > 0) & static_cast<std::int16_t>(bit_worth * 3 + 2 * place);
    const Lanes two = (level > 1) & static_cast<std::int16_t>(bit_worth * 2);
    const Lanes more = (level > 2) & static_cast<std::int16_t>(bit_worth);
    return one + two + more + lesser(level, all(40)) * 6;
}

// `coefficients` are times 16, as forward() makes them.
TESSERA_INLINE void quantise(const Lanes (&coefficients)[16], const Step& step, int first, Quantised& out) {
    out.error = out.bits = Lanes{};
    out.last = all(first - 1);
    for (int i = first; i < 16; ++i) {
        const Lanes share =
            scaled(coefficients[zigzag[static_cast<std::size_t>(i)]], i == 0 ? step.dc_share : step.ac_share);
        const Lanes size = magnitude(share);
        const Lanes level = level_of(size);
        const Lanes off = size - (level << 4);
        const Lanes error = off * off;
        out.error += i == 0 ? (error * static_cast<std::int16_t>(step.dc_weight)) >> 4 : error;
        out.bits += rough_bits(level, i);
        out.shares[i] = share;
        out.levels[i] = level;
        out.last = level > 0 ? all(i) : out.last;
    }
}

TESSERA_INLINE void take_lane(const Lanes (&from)[16], int lane, int first, std::int16_t* shares) {
    for (int i = first; i < 16; ++i) shares[i] = from[i][lane];
}

// What the levels of one lane cost.
TESSERA_INLINE int cost_of_lane(const TokenCosts& costs, BlockKind kind, int context, const Quantised& quantised,
                                int lane, int first) {
    return costs.of(kind, context, first, quantised.last[lane], [&](int i) { return int{quantised.levels[i][lane]}; });
}

struct Refined {
    int last = -1;
    int error = 0;
};

// The levels that cost least with the error they leave: of every coefficient the nearest level or the one below, and
// where to end. Each place is reached from the one before with a context, and by each context in one best way.
TESSERA_INLINE Refined refine_levels(const TokenCosts& costs, BlockKind kind, int worth, int context,
                                     const std::int16_t* shares, int first, int dc_weight, std::int16_t* levels) {
    int sizes[16];
    int saved[16];  // beside no level at all: the error of that
    int last = first - 1;
    int error = 0;
    for (int i = first; i < 16; ++i) {
        sizes[i] = shares[i] < 0 ? -shares[i] : shares[i];
        saved[i] = i == 0 ? sizes[i] * sizes[i] * dc_weight >> 4 : sizes[i] * sizes[i];
        error += saved[i];
        last = sizes[i] > 8 ? i : last;
        levels[i] = 0;
    }
    Refined best{first - 1, error};
    if (last < first) return best;
    const TokenCosts::Place* const at = costs.places(kind);

    struct Way {
        Score score;
        int context;
    };
    Way ways[2] = {{Score{at[first].more[context]} * worth, context}, {}};
    int count = 1;
    struct Choice {
        std::int16_t level;
        std::int8_t from;
    };
    Choice choices[16][2];
    Score best_score = Score{at[first].end[context]} * worth;
    int best_way = 0;
    for (int i = first; i <= last; ++i) {
        const int nearest = (sizes[i] + 8) >> 4;
        Way next[2];
        int next_count = 0;
        for (int level = nearest; level >= 0 && level >= nearest - 1; --level) {
            const int off = sizes[i] - (level << 4);
            const int left = i == 0 ? off * off * dc_weight >> 4 : off * off;
            Score score = ways[0].score + Score{at[i].cost(ways[0].context, level)} * worth;
            std::int8_t from = 0;
            if (count == 2) {
                const Score other = ways[1].score + Score{at[i].cost(ways[1].context, level)} * worth;
                from = other < score ? 1 : 0;
                score = other < score ? other : score;
            }
            score += Score{left - saved[i]} * one_bit;
            const int leaves = level > 1 ? 2 : level;
            if (level > 0) {
                const Score ended = score + (i < 15 ? at[i + 1].end[leaves] * worth : 0);
                if (ended < best_score) {
                    best_score = ended;
                    best.last = i;
                    best_way = next_count;
                }
            }
            next[next_count] = {score, leaves};
            choices[i][next_count] = {static_cast<std::int16_t>(level), from};
            ++next_count;
        }
        count = next_count;
        ways[0] = next[0];
        ways[1] = next[1];
    }
    for (int i = best.last, way = best_way; i >= first; --i) {
        const Choice choice = choices[i][way];
        const int off = sizes[i] - (choice.level << 4);
        best.error += (i == 0 ? off * off * dc_weight >> 4 : off * off) - saved[i];
        levels[i] = static_cast<std::int16_t>(shares[i] < 0 ? -choice.level : choice.level);
        way = choice.from;
    }
    return best;
}

}  // namespace tessera::codecs::vp8
