#include "core/colour.hpp"

#include <algorithm>
#include <array>

namespace tessera {
namespace {

std::optional<std::uint8_t> digit(char character) {
    if (character >= '0' && character <= '9') return static_cast<std::uint8_t>(character - '0');
    if (character >= 'a' && character <= 'f') return static_cast<std::uint8_t>(character - 'a' + 10);
    if (character >= 'A' && character <= 'F') return static_cast<std::uint8_t>(character - 'A' + 10);
    return std::nullopt;
}

void append_hex(std::string& out, std::uint8_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[value >> 4];
    out += digits[value & 15];
}

constexpr std::size_t longest_name = 20;  // lightgoldenrodyellow

std::optional<Colour> by_name(std::string_view text) {
    if (text.size() > longest_name) return std::nullopt;
    std::string name(text);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (name == "transparent") return Colour{0, 0, 0, 0};
    const auto all = named_colours();
    const auto found = std::ranges::lower_bound(all, std::string_view(name), {}, &NamedColour::name);
    if (found == all.end() || found->name != name) return std::nullopt;
    const auto channel = [&](int shift) { return static_cast<std::uint8_t>(found->rgb >> shift); };
    return Colour{channel(16), channel(8), channel(0), 255};
}

}  // namespace

std::optional<Colour> Colour::parse(std::string_view text) {
    if (text.empty() || text.front() != '#') return by_name(text);
    text.remove_prefix(1);

    const bool is_short = text.size() == 3 || text.size() == 4;
    if (!is_short && text.size() != 6 && text.size() != 8) return std::nullopt;
    const std::size_t digits_each = is_short ? 1 : 2;
    std::array<std::uint8_t, 4> channels{0, 0, 0, 255};
    for (std::size_t i = 0; i < text.size() / digits_each; ++i) {
        const auto high = digit(text[i * digits_each]);
        const auto low = digit(text[i * digits_each + digits_each - 1]);
        if (!high || !low) return std::nullopt;
        channels[i] = static_cast<std::uint8_t>(*high * 16 + *low);
    }
    return Colour{channels[0], channels[1], channels[2], channels[3]};
}

std::string Colour::to_string() const {
    std::string text = "#";
    append_hex(text, red);
    append_hex(text, green);
    append_hex(text, blue);
    if (!opaque()) append_hex(text, alpha);
    return text;
}

}  // namespace tessera
