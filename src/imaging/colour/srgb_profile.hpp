// Tells whether an ICC profile describes sRGB, by its primaries and its curves: names lie, and many profiles have none.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::imaging {

// Colours that are converted through such a profile stay as they are, to within a step or two of 255. False for what
// can't be read, and for profiles with tables that go beyond primaries and curves.
bool describes_srgb(std::span<const std::uint8_t> profile);

}  // namespace tessera::imaging
