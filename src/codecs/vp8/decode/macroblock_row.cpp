#include "codecs/vp8/decode/macroblock_row.hpp"

#include <algorithm>

#include "codecs/vp8/decode/reconstruct.hpp"

namespace tessera::codecs::vp8 {
namespace {

struct Residue {
    Coefficients luma;
    Coefficients chroma;  // four blocks of one colour and four of the other
};

// Sixteen means of luma blocks become their first coefficients.
TESSERA_INLINE void read_means(BoolReader& in, const MacroblockRow& row, const Dequantiser& steps, Neighbours& above,
                               Neighbours& left, Coefficients& luma) {
    std::int16_t levels[16 * 16] = {};
    const int told =
        read_levels(in, row.probabilities[luma_dcs], above.luma_dcs + left.luma_dcs, 0, steps.luma_dcs, levels);
    above.luma_dcs = left.luma_dcs = told > 0 ? 1 : 0;
    int means[16];
    for (std::ptrdiff_t i = 0; i < 16; ++i) means[i] = levels[i * 16];
    hadamard(means);
    for (int i = 0; i < 16; ++i) luma.of[0][i] = static_cast<std::int16_t>((means[i] + 3) >> 3);
}

TESSERA_INLINE void read_residue(BoolReader& in, const MacroblockRow& row, const CodedModes& coded, Neighbours& above,
                                 Neighbours& left, Residue& out) {
    const Dequantiser& steps = row.dequantisers[coded.segment];
    out = {};
    const int first = coded.modes.by_blocks ? 0 : 1;
    if (first == 1) read_means(in, row, steps, above, left, out.luma);
    const PlaceProbabilities& of_luma = row.probabilities[first == 1 ? luma_without_dc : luma];
    for (int block = 0; block < 16; ++block) {
        std::uint8_t& up = above.luma[block % 4];
        std::uint8_t& before = left.luma[block / 4];
        const int told = read_levels(in, of_luma, up + before, first, steps.luma, out.luma.of[0] + block);
        up = before = told > first ? 1 : 0;
    }
    for (int block = 0; block < 8; ++block) {
        std::uint8_t& up = above.chroma[block / 4 * 2 + block % 2];
        std::uint8_t& before = left.chroma[block / 4 * 2 + block % 4 / 2];
        const int told =
            read_levels(in, row.probabilities[chroma], up + before, 0, steps.chroma, out.chroma.of[0] + block);
        up = before = told > 0 ? 1 : 0;
    }
}

// A macroblock without levels. Whether its means had some is left to the next that has means.
TESSERA_INLINE void forget(bool by_blocks, Neighbours& neighbours) {
    const std::uint8_t kept = by_blocks ? neighbours.luma_dcs : 0;
    neighbours = {};
    neighbours.luma_dcs = kept;
}

TESSERA_INLINE void reconstruct(const MacroblockRow& row, std::ptrdiff_t column, const Modes& modes,
                                const Differences& luma, const Differences& chroma) {
    for (std::ptrdiff_t plane = 0; plane < 3; ++plane) {
        const std::ptrdiff_t edge = plane == 0 ? 16 : 8;
        const Place place{row.planes[plane] + column * edge, row.strides[plane], !row.is_first, column > 0};
        if (plane > 0) {
            reconstruct_chroma(modes.of_chroma, place, chroma.rows + 4 * (plane - 1));
        } else if (modes.by_blocks) {
            reconstruct_blocks(modes.of_blocks, place, luma);
        } else {
            reconstruct_luma(modes.mode, place, luma);
        }
    }
}

}  // namespace

TESSERA_VECTORISED
bool decode_macroblock_row(const MacroblockRow& row, BoolReader& tokens) {
    Neighbours left;
    Residue residue;
    Differences luma;
    Differences chroma;
    bool no_differences = false;  // all of them are zero already
    for (int column = 0; column < row.across; ++column) {
        const CodedModes& coded = row.modes[column];
        Neighbours& above = row.above[column];
        if (!coded.modes.empty) {
            read_residue(tokens, row, coded, above, left, residue);
            differences_of(residue.luma, luma);
            differences_of(residue.chroma, chroma);
            no_differences = false;
        } else {
            forget(coded.modes.by_blocks, above);
            forget(coded.modes.by_blocks, left);
            if (!no_differences) {
                luma = {};
                chroma = {};
                no_differences = true;
            }
        }
        reconstruct(row, column, coded.modes, luma, chroma);
        if (tokens.ended()) return false;
    }
    return true;
}

}  // namespace tessera::codecs::vp8
