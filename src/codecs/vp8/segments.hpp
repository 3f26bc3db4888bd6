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

// Means of colour are quantised more finely than the rest: a tint is seen from far away.
inline constexpr int usual_colour_means = -3;

struct Segments {
    Segment all[most_segments];
    int colour_means = usual_colour_means;  // how far their index is from the quantiser's: -15 to 15
    std::vector<std::uint8_t> of;           // each macroblock
};

// How much there is in a macroblock of 16 rows of 16 pixels to hide an error: how many times a variance doubles.
float detail_of(const std::uint8_t* pixels);

// How strongly to smooth edges after that quantiser, beside the size of its step.
inline constexpr double usual_filter = 0.275;
int filter_after(int quantiser, double of_step = usual_filter);

// At a quality of 0 to 100, for macroblocks with so much detail. There is at least one.
void choose_segments(double quality, std::span<const float> details, Segments& out);
// For macroblocks of which each would best have a step of quantisation with such a logarithm. There is at least one.
Segments segments_for_steps(std::span<const float> logarithms);

}  // namespace tessera::codecs::vp8
