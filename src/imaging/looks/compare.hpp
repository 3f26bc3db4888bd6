// How alike two pictures look, as a number: SSIMULACRA 2 (see definition.hpp).
#pragma once

#include <cstdint>

#include "core/job.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// Pictures up to so many pixels are compared whole, larger ones in sixteen parts spread evenly over them, which are
// then about as many pixels.
inline constexpr std::int64_t compared_whole = 12'000'000;

struct Comparison {
    double score = 100;
    bool whole = true;
};

// Both of one size, eight-bit sRGB or grey, as to_srgb() makes them, and in memory or decoded now. Beside their pixels
// it takes memory for their width alone.
JobResult<Comparison> compare_looks(const Image& reference, const Image& candidate,
                                    std::int64_t whole_up_to = compared_whole);

}  // namespace tessera::imaging
