// Bytes as text of 64 characters, with padding.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tessera {

std::string to_base64(std::span<const std::uint8_t> bytes);

}  // namespace tessera
