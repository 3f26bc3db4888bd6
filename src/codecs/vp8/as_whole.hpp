// A macroblock with one mode for all of its luma, and a lane for each of its blocks. Inside macroblock.cpp only.
#pragma once

#include <cstdlib>
#include <limits>

#include "codecs/vp8/macroblock.hpp"
#include "codecs/vp8/quantise.hpp"
#include "codecs/vp8/transform.hpp"

namespace tessera::codecs::vp8 {

// Pixels above and to the left: of each of four places in a block, those of all blocks.
struct Edges {
    Lanes above[4];
    Lanes left[4];
    Lanes corner;
    Lanes mean;
};

TESSERA_INLINE Lanes predicted(const Edges& edges, int mode, int place) {
    const Lanes& above = edges.above[place % 4];
    const Lanes& left = edges.left[place / 4];
    switch (mode) {
        case from_above: return above;
        case from_left: return left;
        case from_slope: return cut_to_bytes(above + left - edges.corner);
        default: return edges.mean;
    }
}

TESSERA_INLINE Edges luma_edges(const Surroundings& around) {
    Edges edges;
    const std::uint8_t* const at = around.decoded[0];
    const std::ptrdiff_t stride = around.stride[0];
    for (int place = 0; place < 4; ++place) {
        for (int block = 0; block < 16; ++block) {
            edges.above[place][block] = at[block % 4 * 4 + place - stride];
            edges.left[place][block] = at[(block / 4 * 4 + place) * stride - 1];
        }
    }
    edges.corner = all(at[-stride - 1]);
    edges.mean = all(mean_of_edge(around.place(0), 16));
    return edges;
}

// Of each of the sixteen places in a block, the pixels of all blocks.
TESSERA_INLINE void by_places(const std::uint8_t* pixels, Lanes (&out)[16]) {
    alignas(32) std::int16_t places[16][16];
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) places[y % 4 * 4 + x % 4][y / 4 * 4 + x / 4] = pixels[y * 16 + x];
    }
    std::memcpy(out, places, sizeof places);
}

struct QuantisedMeans {
    alignas(32) std::int16_t levels[16];
    int last = -1;
    int error = 0;
    int rough_bits = 0;
};
TESSERA_INLINE QuantisedMeans quantise_means(const Lanes& means, const Quantiser& quantiser) {
    const Step& step = quantiser.luma_dcs;
    int block[16];
    for (int i = 0; i < 16; ++i) block[i] = means[i];  // times 16
    hadamard(block);                                   // times 32
    QuantisedMeans out;
    std::int64_t squares = 0;
    for (int i = 0; i < 16; ++i) {
        const int value = block[zigzag[static_cast<std::size_t>(i)]];
        const int size = value < 0 ? -value : value;
        const int level =
            level_of(static_cast<int>((std::int64_t{size} * (i == 0 ? step.dc_share : step.ac_share)) >> 17));
        const std::int64_t off = size - std::int64_t{level} * step.of(i) * 32;
        squares += off * off;
        out.levels[i] = static_cast<std::int16_t>(value < 0 ? -level : level);
        if (level == 0) continue;
        out.last = i;
        out.rough_bits += bit_worth * (level > 1 ? 5 : 3) + 2 * i + 6 * std::min(level, 40);
    }
    out.error = static_cast<int>(squares * times_of_luma_mean / 16 / quantiser.luma.ac / quantiser.luma.ac);
    return out;
}

struct AsWhole {
    int mode = 0;
    Quantised blocks;
    QuantisedMeans means;
};

// The mode that looks best.
TESSERA_INLINE void choose_mode(const Surroundings& around, const Edges& edges, const Quantiser& quantiser,
                                AsWhole& out) {
    Lanes source[16];
    by_places(around.luma, source);
    const ModeCosts& modes = mode_costs();
    Score best = std::numeric_limits<Score>::max();
    for (int mode = 0; mode < macroblock_modes; ++mode) {
        Lanes differences[16];
        for (int place = 0; place < 16; ++place) differences[place] = source[place] - predicted(edges, mode, place);
        forward(differences);
        Quantised blocks;
        quantise(differences, quantiser.luma, 1, blocks);
        const QuantisedMeans means = quantise_means(differences[0], quantiser);
        const int rough = sum(blocks.error) + means.error + sum(blocks.bits) + means.rough_bits;
        const Score score = score_of(rough, modes.of_macroblock[mode]);
        if (score >= best) continue;
        best = score;
        out.mode = mode;
        out.blocks = blocks;
        out.means = means;
    }
}

// What all of it costs; levels are rounded. `plain` if only means have some.
TESSERA_INLINE Score score_whole(const AsWhole& whole, const Surroundings& around, const TokenCosts& costs,
                                 bool& plain) {
    int bits = mode_costs().of_macroblock[whole.mode];
    bits += costs.of(luma_dcs, around.above.luma_dcs + around.left.luma_dcs, 0, whole.means.last,
                     [&](int i) { return std::abs(int{whole.means.levels[i]}); });
    Neighbours above = around.above;
    Neighbours left = around.left;
    plain = true;
    for (int block = 0; block < 16; ++block) {
        std::uint8_t& up = above.luma[block % 4];
        std::uint8_t& before = left.luma[block / 4];
        bits += cost_of_lane(costs, luma_without_dc, up + before, whole.blocks, block, 1);
        up = before = whole.blocks.last[block] >= 1 ? 1 : 0;
        plain = plain && before == 0;
    }
    return score_of(sum(whole.blocks.error) + whole.means.error, bits);
}

TESSERA_INLINE void settle_whole(const AsWhole& whole, const Surroundings& around, const Edges& edges,
                                 const Quantiser& quantiser, const TokenCosts& costs, Macroblock& out) {
    out.modes.mode = static_cast<std::uint8_t>(whole.mode);
    std::memset(out.modes.of_blocks, whole.mode, sizeof out.modes.of_blocks);
    std::memcpy(out.luma_dcs, whole.means.levels, sizeof out.luma_dcs);
    out.last_of_dcs = static_cast<std::int8_t>(whole.means.last);
    Lanes decoded[16] = {};
    Neighbours above = around.above;
    Neighbours left = around.left;
    for (int block = 0; block < 16; ++block) {
        alignas(32) std::int16_t shares[16];
        take_lane(whole.blocks.shares, block, 1, shares);
        std::uint8_t& up = above.luma[block % 4];
        std::uint8_t& before = left.luma[block / 4];
        const Refined refined =
            refine_levels(costs, luma_without_dc, bit_worth_of_luma_level, up + before, shares, 1, 0, out.luma[block]);
        up = before = refined.last >= 1 ? 1 : 0;
        out.last_of_luma[block] = static_cast<std::int8_t>(refined.last);
        for (int i = 1; i <= refined.last; ++i) {
            decoded[zigzag[static_cast<std::size_t>(i)]][block] =
                static_cast<std::int16_t>(out.luma[block][i] * quantiser.luma.ac);
        }
    }
    int means[16];
    for (int i = 0; i < 16; ++i)
        means[zigzag[static_cast<std::size_t>(i)]] = out.luma_dcs[i] * quantiser.luma_dcs.of(i);
    hadamard(means);
    for (int i = 0; i < 16; ++i) decoded[0][i] = static_cast<std::int16_t>((means[i] + 3) >> 3);
    inverse(decoded);
    alignas(32) std::int16_t places[16][16];
    for (int place = 0; place < 16; ++place) {
        const Lanes pixels = cut_to_bytes(decoded[place] + predicted(edges, whole.mode, place));
        std::memcpy(places[place], &pixels, sizeof pixels);
    }
    for (int y = 0; y < 16; ++y) {
        std::uint8_t* const row = around.decoded[0] + y * around.stride[0];
        for (int x = 0; x < 16; ++x) row[x] = static_cast<std::uint8_t>(places[y % 4 * 4 + x % 4][y / 4 * 4 + x / 4]);
    }
}

}  // namespace tessera::codecs::vp8
