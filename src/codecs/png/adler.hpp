// The checksum of a zlib stream from those of its parts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::codecs {

// Of bytes with the checksum `first`, and `size` more after them with the checksum `second`.
constexpr std::uint32_t joined_adler32(std::uint32_t first, std::uint32_t second, std::size_t size) {
    constexpr std::uint64_t prime = 65521;
    const std::uint64_t one_less = (first % 65536 + prime - 1) % prime;  // each part counts a one of its own
    const std::uint64_t sum = (one_less + second % 65536) % prime;
    const std::uint64_t sums = (first / 65536 + second / 65536 + size % prime * one_less) % prime;
    return static_cast<std::uint32_t>(sums << 16 | sum);
}

}  // namespace tessera::codecs
