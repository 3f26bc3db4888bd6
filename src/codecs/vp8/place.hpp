// Where a macroblock is in a plane of decoded pixels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd.hpp"

namespace tessera::codecs::vp8 {

// And which of its neighbours there are.
struct Place {
    std::uint8_t* at;  // the macroblock's first pixel
    std::ptrdiff_t stride;
    bool has_above;
    bool has_left;
};

// Of the pixels above and to the left that there are.
TESSERA_INLINE int mean_of_edge(const Place& place, int edge) {
    int total = 0;
    int count = 0;
    if (place.has_above) {
        for (int i = 0; i < edge; ++i) total += place.at[i - place.stride];
        count += edge;
    }
    if (place.has_left) {
        for (int i = 0; i < edge; ++i) total += place.at[i * place.stride - 1];
        count += edge;
    }
    return count == 0 ? 128 : (total + count / 2) / count;
}

}  // namespace tessera::codecs::vp8
