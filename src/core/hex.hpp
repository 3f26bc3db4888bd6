// Lower-case hexadecimal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

std::string to_hex(std::span<const std::uint8_t> bytes);
void write_hex(std::span<const std::uint8_t> bytes, char* out);  // writes 2 * bytes.size() characters

// Fills `out` from exactly 2 * out.size() hexadecimal digits of either case; false for anything else.
bool from_hex(std::string_view text, std::span<std::uint8_t> out);

}  // namespace tessera
