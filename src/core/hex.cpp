#include "core/hex.hpp"

#include <array>
#include <cstring>

namespace tessera {
namespace {

constexpr char digits[] = "0123456789abcdef";

constexpr std::uint8_t not_a_digit = 0xff;

// Tables, because ids are read and written on every request.
constexpr auto values = [] {
    std::array<std::uint8_t, 256> all{};
    all.fill(not_a_digit);
    for (std::uint8_t i = 0; i < 16; ++i) all[static_cast<unsigned char>(digits[i])] = i;
    for (std::uint8_t i = 10; i < 16; ++i) all[static_cast<unsigned char>(digits[i] - 'a' + 'A')] = i;
    return all;
}();

// Both digits of each byte.
constexpr auto pairs = [] {
    std::array<char, 512> all{};
    for (std::size_t i = 0; i < 256; ++i) {
        all[2 * i] = digits[i >> 4];
        all[2 * i + 1] = digits[i & 15];
    }
    return all;
}();

std::uint8_t value_of(char c) {
    return values[static_cast<unsigned char>(c)];
}

}  // namespace

void write_hex(std::span<const std::uint8_t> bytes, char* out) {
    for (const std::uint8_t byte : bytes) {
        std::memcpy(out, &pairs[std::size_t{2} * byte], 2);
        out += 2;
    }
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
    std::string text(bytes.size() * 2, '\0');
    write_hex(bytes, text.data());
    return text;
}

bool from_hex(std::string_view text, std::span<std::uint8_t> out) {
    if (text.size() != out.size() * 2) return false;
    std::uint8_t seen = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint8_t high = value_of(text[2 * i]);
        const std::uint8_t low = value_of(text[2 * i + 1]);
        seen |= high | low;
        out[i] = static_cast<std::uint8_t>(high << 4 | (low & 15));
    }
    return seen < 16;
}

}  // namespace tessera
