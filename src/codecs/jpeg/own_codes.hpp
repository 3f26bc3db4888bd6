// Huffman codes of a JPEG's own. libjpeg makes them from coefficients, all of which it holds until then, and counts
// these one by one; here the finished file is read again, which takes less time and a fraction of that memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::codecs {

// The same picture with the codes that suit it best. Nothing for any other file than a baseline JPEG with all of its
// components in one scan, without restarts.
std::optional<std::vector<std::uint8_t>> with_own_codes(std::span<const std::uint8_t> file);

}  // namespace tessera::codecs
