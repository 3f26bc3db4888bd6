// A colour as options name it: sRGB with alpha, eight bits each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    std::uint8_t alpha = 255;

    // "#rgb", "#rgba", "#rrggbb", "#rrggbbaa", a name that CSS has, or "transparent"; letters in either case.
    static std::optional<Colour> parse(std::string_view text);

    [[nodiscard]] bool opaque() const { return alpha == 255; }
    [[nodiscard]] std::string to_string() const;  // "#rrggbb", with "aa" only where it is not opaque

    bool operator==(const Colour&) const = default;
};

struct NamedColour {
    std::string_view name;  // in lower case
    std::uint32_t rgb = 0;
};
// Sorted by name; `transparent` is not among them.
std::span<const NamedColour> named_colours();

}  // namespace tessera
