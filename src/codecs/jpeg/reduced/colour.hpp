// Rows of luma and two chromas as rows of RGB, with JPEG's own definition of these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::codecs {

void rgb_from_ycbcr(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, std::size_t width,
                    std::uint8_t* out);
void interleave(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c, std::size_t width,
                std::uint8_t* out);

}  // namespace tessera::codecs
