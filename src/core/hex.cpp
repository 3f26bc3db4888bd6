#include "core/hex.hpp"

namespace tessera {
namespace {

constexpr char digits[] = "0123456789abcdef";

int value_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

void write_hex(std::span<const std::uint8_t> bytes, char* out) {
    for (const std::uint8_t byte : bytes) {
        *out++ = digits[byte >> 4];
        *out++ = digits[byte & 15];
    }
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
    std::string text(bytes.size() * 2, '\0');
    write_hex(bytes, text.data());
    return text;
}

bool from_hex(std::string_view text, std::span<std::uint8_t> out) {
    if (text.size() != out.size() * 2) return false;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int high = value_of(text[2 * i]);
        const int low = value_of(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        out[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return true;
}

}  // namespace tessera
