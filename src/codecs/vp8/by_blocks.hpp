// A macroblock with a mode for each of its blocks. Inside macroblock.cpp only.
#pragma once

#include <algorithm>
#include <limits>

#include "codecs/vp8/block_predictions.hpp"
#include "codecs/vp8/macroblock.hpp"
#include "codecs/vp8/quantise.hpp"
#include "codecs/vp8/transform.hpp"

namespace tessera::codecs::vp8 {

struct ByBlocks {
    Score score = 0;  // before levels were refined
    std::uint8_t modes[16];
    alignas(32) std::int16_t levels[16][16];
    std::int8_t last[16];
    static constexpr std::ptrdiff_t stride = 32;
    // The row above and pixels of the column before, and then the macroblock as it will be decoded.
    alignas(32) std::uint8_t pixels[17 * stride + 16];
    std::uint8_t* first() { return pixels + stride + 16; }
};

TESSERA_INLINE void copy_edges(const Surroundings& around, ByBlocks& blocks) {
    const std::uint8_t* const from = around.decoded[0];
    const std::ptrdiff_t stride = around.stride[0];
    std::uint8_t* const to = blocks.first();
    std::memcpy(to - ByBlocks::stride - 1, from - stride - 1, 21);
    for (int y = 0; y < 16; ++y) to[y * ByBlocks::stride - 1] = from[y * stride - 1];
    // Blocks at the right see the macroblock above to the right, whichever row they are in.
    for (int y = 3; y < 15; y += 4) std::memcpy(to + y * ByBlocks::stride + 16, from - stride + 16, 4);
}

// The ways that look best are looked at exactly: how many.
constexpr int finalists = 3;

struct BlockTask {
    const std::uint8_t* source;
    std::uint8_t* at;
    int context;
    const std::int16_t* mode_costs;
};

TESSERA_INLINE void code_block(const BlockTask& task, const Quantiser& quantiser, const TokenCosts& costs, int block,
                               ByBlocks& out) {
    BlockPredictions predictions;
    predict_block(task.at, ByBlocks::stride, predictions);
    Lanes differences[16];
    for (int i = 0; i < 16; ++i) differences[i] = all(task.source[i / 4 * 16 + i % 4]) - widened(predictions[i]);
    forward(differences);
    Quantised quantised;
    quantise(differences, quantiser.luma, 0, quantised);
    Lanes modes;
    std::memcpy(&modes, task.mode_costs, sizeof modes);
    Lanes rough = quantised.error + quantised.bits + scaled(modes, bit_worth * 65536 / one_bit);

    Score best_score = std::numeric_limits<Score>::max();
    int best = 0;
    int least = std::numeric_limits<int>::max();
    for (int round = 0; round < finalists; ++round) {
        int mode = 0;
        for (int other = 1; other < block_modes; ++other) mode = rough[other] < rough[mode] ? other : mode;
        least = std::min<int>(least, rough[mode]);
        if (rough[mode] > least + least / 4 + bit_worth) break;
        rough[mode] = std::numeric_limits<std::int16_t>::max();
        const int bits = cost_of_lane(costs, luma, task.context, quantised, mode, 0) + task.mode_costs[mode];
        const Score score = score_of(quantised.error[mode], bits);
        if (score >= best_score) continue;
        best_score = score;
        best = mode;
    }
    alignas(32) std::int16_t best_shares[16];
    take_lane(quantised.shares, best, 0, best_shares);
    std::int16_t* const levels = out.levels[block];
    const Refined refined = refine_levels(costs, luma, bit_worth_of_luma_level, task.context, best_shares, 0,
                                          quantiser.luma.dc_weight, levels);
    out.score += best_score;
    out.modes[block] = static_cast<std::uint8_t>(best);
    out.last[block] = static_cast<std::int8_t>(refined.last);
    int decoded[16] = {};
    for (int i = 0; i <= refined.last; ++i) {
        decoded[zigzag[static_cast<std::size_t>(i)]] = levels[i] * quantiser.luma.of(i);
    }
    if (refined.last >= 0) inverse(decoded);
    for (int i = 0; i < 16; ++i) {
        task.at[i / 4 * ByBlocks::stride + i % 4] =
            static_cast<std::uint8_t>(std::clamp(decoded[i] + predictions[i][best], 0, 255));
    }
}

// False as soon as it is worse than what there is.
TESSERA_INLINE bool code_by_blocks(const Surroundings& around, const Quantiser& quantiser, const TokenCosts& costs,
                                   Score worst, ByBlocks& out) {
    const ModeCosts& modes = mode_costs();
    copy_edges(around, out);
    out.score = score_of(0, modes.of_blocks);
    Neighbours above = around.above;
    Neighbours left = around.left;
    for (int block = 0; block < 16; ++block) {
        const std::ptrdiff_t x = block % 4;
        const std::ptrdiff_t y = block / 4;
        const int mode_above = y == 0 ? around.modes_above[x] : out.modes[block - 4];
        const int mode_left = x == 0 ? around.modes_left[y] : out.modes[block - 1];
        const BlockTask task{around.luma + y * 64 + x * 4, out.first() + y * 4 * ByBlocks::stride + x * 4,
                             above.luma[x] + left.luma[y], modes.of[mode_above][mode_left]};
        code_block(task, quantiser, costs, block, out);
        if (out.score >= worst) return false;
        above.luma[x] = left.luma[y] = out.last[block] >= 0 ? 1 : 0;
    }
    return true;
}

TESSERA_INLINE void settle_blocks(ByBlocks& blocks, const Surroundings& around, Macroblock& out) {
    std::memcpy(out.modes.of_blocks, blocks.modes, sizeof blocks.modes);
    std::memcpy(out.luma, blocks.levels, sizeof out.luma);
    std::memcpy(out.last_of_luma, blocks.last, sizeof out.last_of_luma);
    for (int y = 0; y < 16; ++y) {
        std::memcpy(around.decoded[0] + y * around.stride[0], blocks.first() + y * ByBlocks::stride, 16);
    }
}

}  // namespace tessera::codecs::vp8
