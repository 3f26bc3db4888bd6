// Inside imaging only: samples of sixteen bits as samples of eight, rounded.
#pragma once

#include <cstdint>

namespace tessera::imaging {

constexpr std::uint8_t eight_bits(std::uint8_t sample) {
    return sample;
}
constexpr std::uint8_t eight_bits(std::uint16_t sample) {
    return static_cast<std::uint8_t>((sample + 128U) / 257U);
}

}  // namespace tessera::imaging
