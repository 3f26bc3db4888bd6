// A zlib stream that lies in memory whole, inflated at once. ISA-L takes two thirds of libdeflate's time for rows of
// photographs, which are hardly more than Huffman codes.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::codecs {

// False where the stream is damaged or holds more or less than fills `out`.
bool inflate_into(std::span<std::uint8_t> out, std::span<const std::uint8_t> packed);

}  // namespace tessera::codecs
