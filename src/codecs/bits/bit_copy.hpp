// Many bits at once, from any bit of a byte to the beginning of another, where the first one of a byte is lowest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::codecs {

// So many words of 64 bits, from bit `first` (0 to 7) of `from` on. One byte after those that they lie in is read.
void copy_lowest_first(const std::uint8_t* from, unsigned first, std::uint8_t* to, std::size_t words);

}  // namespace tessera::codecs
