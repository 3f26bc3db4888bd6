// Sections 9 and 19.2 of RFC 6386: what stands before the macroblocks of a key frame.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/vp8/decode/bool_reader.hpp"
#include "codecs/vp8/segments.hpp"
#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {

// Of a segment: the first coefficient and the others of each kind of block.
struct Dequantiser {
    struct Steps {
        int dc = 0;
        int ac = 0;
    };
    Steps luma;
    Steps luma_dcs;
    Steps chroma;
};

struct FrameHeader {
    int width = 0;
    int height = 0;
    bool has_segments = false;  // each macroblock says which one it is in
    std::array<std::uint8_t, 3> segment_nodes{255, 255, 255};
    std::array<Dequantiser, most_segments> dequantisers;
    Probabilities probabilities;
    bool has_empty = false;          // a macroblock says whether it has any levels
    std::uint8_t fullness = 0;       // how likely it does
    BoolReader modes;                // right behind the header
    std::vector<BoolReader> tokens;  // of each partition

    [[nodiscard]] int across() const { return (width + 15) / 16; }
    [[nodiscard]] int down() const { return (height + 15) / 16; }
};

// Of a VP8 chunk. Nothing where it is no key frame, or ends before its last partition begins.
std::optional<FrameHeader> read_frame_header(std::span<const std::uint8_t> frame);

}  // namespace tessera::codecs::vp8
