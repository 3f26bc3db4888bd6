// Deflate for the filtered rows of photographs that takes its time. General encoders begin with the matches that they
// find and price bytes by what is left over: matches of three and four bytes seem worth their while, and do until the
// end. This one begins with a code for bytes alone, in which a match has to pay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::codecs {

// Appends `data`, which may not be empty, as a zlib stream.
void thorough_deflate(std::span<const std::uint8_t> data, std::vector<std::uint8_t>& out);

}  // namespace tessera::codecs
