// Inside imaging only: which macroblocks of a lossy WebP get finer quantisers, by where it looks unlike its source.
#pragma once

#include "codecs/vp8/encoder.hpp"
#include "imaging/looks/error_map.hpp"

namespace tessera::imaging {

// Of what `encoder` has encoded last, and how that looks: segments with which the same bits look better. Where a bit
// would make up for more error than elsewhere, steps get smaller, and larger where it would for less.
codecs::vp8::Segments allocate_bits(const codecs::vp8::Encoder& encoder, const looks::ErrorMap& looks);

}  // namespace tessera::imaging
