// The colour of a macroblock: lanes of the four blocks of one plane and the four of the other, for two modes at a time.
// Inside macroblock.cpp only.
#pragma once

#include "codecs/vp8/as_whole.hpp"

namespace tessera::codecs::vp8 {

TESSERA_INLINE Edges chroma_edges(const Surroundings& around) {
    Edges edges;
    for (int lane = 0; lane < lanes; ++lane) {
        const int plane = 1 + lane % 8 / 4;
        const std::uint8_t* const at = around.decoded[plane];
        const std::ptrdiff_t stride = around.stride[plane];
        edges.corner[lane] = at[-stride - 1];
        for (int place = 0; place < 4; ++place) {
            edges.above[place][lane] = at[lane % 2 * 4 + place - stride];
            edges.left[place][lane] = at[(lane % 4 / 2 * 4 + place) * stride - 1];
        }
    }
    const Lanes second = {0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1};
    edges.mean = second ? all(mean_of_edge(around.place(2), 8)) : all(mean_of_edge(around.place(1), 8));
    return edges;
}

TESSERA_INLINE void chroma_by_places(const std::uint8_t* pixels, Lanes (&out)[16]) {
    alignas(32) std::int16_t places[16][16];
    for (int plane = 0; plane < 2; ++plane) {
        for (int i = 0; i < 64; ++i) {
            const int y = i / 8;
            const int x = i % 8;
            std::int16_t* const place = places[y % 4 * 4 + x % 4];
            const int lane = plane * 4 + y / 4 * 2 + x / 4;
            place[lane] = place[8 + lane] = pixels[plane * 64 + i];
        }
    }
    std::memcpy(out, places, sizeof places);
}

struct ChromaChoice {
    int mode = 0;
    int lane = 0;  // the first of eight
    Lanes shares[16];
};
TESSERA_INLINE void choose_chroma(const Surroundings& around, const Edges& edges, const Quantiser& quantiser,
                                  ChromaChoice& out) {
    Lanes source[16];
    chroma_by_places(around.chroma, source);
    Score best = std::numeric_limits<Score>::max();
    for (int mode = 0; mode < macroblock_modes; mode += 2) {
        Lanes differences[16];
        for (int place = 0; place < 16; ++place) {
            differences[place] =
                source[place] - halves(predicted(edges, mode, place), predicted(edges, mode + 1, place));
        }
        forward(differences);
        Quantised quantised;
        quantise(differences, quantiser.chroma, 0, quantised);
        const Lanes rough = quantised.error + quantised.bits;
        for (int half = 0; half < 2; ++half) {
            int error = 0;
            for (int lane = 0; lane < 8; ++lane) error += rough[half * 8 + lane];
            const Score score = score_of(error, mode_costs().of_chroma[mode + half]);
            if (score >= best) continue;
            best = score;
            out.mode = mode + half;
            out.lane = half * 8;
            std::memcpy(out.shares, quantised.shares, sizeof out.shares);
        }
    }
}

TESSERA_INLINE void code_chroma(const Surroundings& around, const Quantiser& quantiser, const TokenCosts& costs,
                                Macroblock& out) {
    const Edges edges = chroma_edges(around);
    ChromaChoice choice;
    choose_chroma(around, edges, quantiser, choice);
    out.modes.of_chroma = static_cast<std::uint8_t>(choice.mode);
    Neighbours above = around.above;
    Neighbours left = around.left;
    Lanes decoded[16] = {};
    for (int block = 0; block < 8; ++block) {
        alignas(32) std::int16_t shares[16];
        take_lane(choice.shares, choice.lane + block, 0, shares);
        std::uint8_t& up = above.chroma[block / 4 * 2 + block % 2];
        std::uint8_t& before = left.chroma[block / 4 * 2 + block % 4 / 2];
        const Refined refined = refine_levels(costs, chroma, bit_worth_of_chroma_level, up + before, shares, 0,
                                              quantiser.chroma.dc_weight, out.chroma[block]);
        up = before = refined.last >= 0 ? 1 : 0;
        out.last_of_chroma[block] = static_cast<std::int8_t>(refined.last);
        for (int i = 0; i <= refined.last; ++i) {
            decoded[zigzag[static_cast<std::size_t>(i)]][block] =
                static_cast<std::int16_t>(out.chroma[block][i] * quantiser.chroma.of(i));
        }
    }
    inverse(decoded);
    for (int place = 0; place < 16; ++place) {
        const Lanes pixels = cut_to_bytes(decoded[place] + predicted(edges, choice.mode, place));
        for (int block = 0; block < 8; ++block) {
            const int plane = 1 + block / 4;
            const int y = block % 4 / 2 * 4 + place / 4;
            const int x = block % 2 * 4 + place % 4;
            around.decoded[plane][y * around.stride[plane] + x] = static_cast<std::uint8_t>(pixels[block]);
        }
    }
}

}  // namespace tessera::codecs::vp8
