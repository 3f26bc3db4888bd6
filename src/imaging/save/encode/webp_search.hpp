// Inside imaging only: lossy WebP whose quantisers and filters are chosen by how the result looks. A few encodes, each
// compared with its source by SSIMULACRA 2.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "codecs/vp8/encoder.hpp"
#include "imaging/looks/likeness.hpp"

namespace tessera::imaging {

// Smaller pictures lack scales that the comparison needs.
inline constexpr int smallest_searched_edge = 128;

// `planes` are those of `source`, which has no alpha. Nothing where the format has no room for the picture's modes.
// Throws VError.
std::optional<std::vector<std::uint8_t>> search_webp(const codecs::vp8::Picture& planes, const looks::Pixels& source,
                                                     double quality, const std::function<void(double)>& progress);

}  // namespace tessera::imaging
