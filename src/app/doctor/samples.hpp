// Pictures to try decoders with.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::app {

std::span<const std::uint8_t> sample_gif();
std::span<const std::uint8_t> sample_heif();

}  // namespace tessera::app
