// Macroblocks of a like kind share a quantiser: an eye sees less of an error among many details than on a plain
// surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::codecs::vp8 {

inline constexpr int most_segments = 4;

struct Segment {
    int quantiser = 0;  // 0 to 127
    int filter = 0;     // how strongly edges of blocks are smoothed: 0 to 63
};

struct Segments {
    Segment all[most_segments];
    std::vector<std::uint8_t> of;  // each macroblock
};

// How much there is in a macroblock of 16 rows of 16 pixels to hide an error: how many times a variance doubles.
float detail_of(const std::uint8_t* pixels);

// At a quality of 0 to 100, for macroblocks with so much detail. There is at least one.
void choose_segments(double quality, std::span<const float> details, Segments& out);

}  // namespace tessera::codecs::vp8
