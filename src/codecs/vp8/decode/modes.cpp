#include "codecs/vp8/decode/modes.hpp"

#include <algorithm>
#include <array>

#include "codecs/vp8/trees.hpp"

namespace tessera::codecs::vp8 {
namespace {

// The last bit of a tree whose two ends are about as likely: picked without a branch.
TESSERA_INLINE std::uint8_t one_of(std::uint8_t at_zero, std::uint8_t at_one, QuickBoolReader& in, std::uint32_t zero) {
    const std::uint8_t ends[2] = {at_zero, at_one};
    return ends[in.get_number(zero)];
}

TESSERA_INLINE std::uint8_t read_block_mode(QuickBoolReader& in, const std::uint8_t* p) {
    in.fill_for<7>();
    if (!in.get(p[0])) return from_mean;
    if (!in.get(p[1])) return from_slope;
    if (!in.get(p[2])) return from_above;
    if (!in.get(p[3])) {
        if (!in.get(p[4])) return from_left;
        return one_of(down_right, vertical_right, in, p[5]);
    }
    if (!in.get(p[6])) return down_left;
    if (!in.get(p[7])) return vertical_left;
    return one_of(horizontal_down, horizontal_up, in, p[8]);
}

TESSERA_INLINE std::uint8_t read_macroblock_mode(QuickBoolReader& in) {
    if (in.get(156)) return in.get(128) ? from_slope : from_left;
    return in.get(163) ? from_above : from_mean;
}

TESSERA_INLINE std::uint8_t read_chroma_mode(QuickBoolReader& in) {
    if (!in.get(142)) return from_mean;
    if (!in.get(114)) return from_above;
    return in.get(183) ? from_slope : from_left;
}

TESSERA_INLINE void read_luma_modes(QuickBoolReader& in, std::uint8_t* above, std::uint8_t* left, Modes& out) {
    out.by_blocks = !in.get(probability_of_blocks);
    if (!out.by_blocks) {
        out.mode = read_macroblock_mode(in);
        std::fill_n(above, 4, out.mode);
        std::fill_n(left, 4, out.mode);
        return;
    }
    for (int block = 0; block < 16; ++block) {
        std::uint8_t& up = above[block % 4];
        std::uint8_t& before = left[block / 4];
        up = before = out.of_blocks[block] = read_block_mode(in, block_mode_probabilities[up][before]);
    }
}

TESSERA_INLINE void read_row(const FrameHeader& header, QuickBoolReader& in, std::span<std::uint8_t> above,
                             std::span<CodedModes> row) {
    std::array<std::uint8_t, 4> left{};  // from_mean
    for (std::size_t i = 0; i < row.size(); ++i) {
        CodedModes& out = row[i];
        in.fill_for<6>();
        if (header.has_segments) {
            const auto& nodes = header.segment_nodes;
            const bool upper = in.get(nodes[0]);
            out.segment = static_cast<std::uint8_t>((upper ? 2 : 0) + (in.get(nodes[upper ? 2 : 1]) ? 1 : 0));
        }
        out.modes.empty = header.has_empty && in.get(header.fullness);
        read_luma_modes(in, above.data() + 4 * i, left.data(), out.modes);
        in.fill_for<3>();
        out.modes.of_chroma = read_chroma_mode(in);
    }
}

}  // namespace

TESSERA_BITWISE
bool read_modes(FrameHeader& header, std::span<std::uint8_t> above, std::span<CodedModes> row) {
    {
        QuickBoolReader in(header.modes);
        read_row(header, in, above, row);
    }
    return !header.modes.ended();
}

}  // namespace tessera::codecs::vp8
