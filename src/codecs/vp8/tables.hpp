// The numbers of VP8's key frames, as RFC 6386 has them.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::codecs::vp8 {

// How the sixteen pixels of a block, or all of a macroblock, are predicted from those above and to the left. A
// macroblock knows the first four alone.
enum BlockMode : std::uint8_t {
    from_mean,
    from_slope,  // "TrueMotion": above + left - corner
    from_above,
    from_left,
    down_left,
    down_right,
    vertical_right,
    vertical_left,
    horizontal_down,
    horizontal_up
};
inline constexpr int block_modes = 10;
inline constexpr int macroblock_modes = 4;

// Section 14.1: what an index of quantisation means.
extern const std::uint8_t dc_steps[128];
extern const std::uint16_t ac_steps[128];

// What a block holds, as far as its probabilities go.
enum BlockKind : std::uint8_t { luma_without_dc, luma_dcs, chroma, luma };
inline constexpr int block_kinds = 4;
inline constexpr int bands = 8;
inline constexpr int contexts = 3;  // of the token before, or of the blocks above and to the left
inline constexpr int token_nodes = 11;

// Sections 13.3 to 13.5: of the tree of tokens, by kind, band and context.
struct Probabilities {
    std::uint8_t of[block_kinds][bands][contexts][token_nodes];
};
extern const Probabilities default_probabilities;
extern const Probabilities update_probabilities;  // that a frame has another one

// Section 11.5: of the tree of a block's modes, by the modes above and to the left.
extern const std::uint8_t block_mode_probabilities[block_modes][block_modes][block_modes - 1];

inline constexpr std::array<std::uint8_t, 16> zigzag = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
// The band of each place in that order; one more for what would follow the last.
inline constexpr std::array<std::uint8_t, 17> band_of = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0};

}  // namespace tessera::codecs::vp8
