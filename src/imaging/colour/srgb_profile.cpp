#include "imaging/colour/srgb_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace tessera::imaging {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t header_size = 128;
constexpr std::size_t most_tags = 256;
constexpr double primary_tolerance = 0.003;      // of X, Y and Z
constexpr double curve_tolerance = 1.5 / 255.0;  // of an encoded value

std::uint32_t be32(Bytes bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 | std::uint32_t{bytes[at + 2]} << 8 |
           bytes[at + 3];
}
double fixed16(Bytes bytes, std::size_t at) {
    return static_cast<std::int32_t>(be32(bytes, at)) / 65536.0;
}
double u16(Bytes bytes, std::size_t at) {
    return bytes[at] * 256.0 + bytes[at + 1];
}
bool says(Bytes bytes, std::size_t at, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (bytes[at + i] != static_cast<std::uint8_t>(text[i])) return false;
    }
    return true;
}

// The data of a tag; nothing where it is missing or lies outside.
std::optional<Bytes> tag(Bytes profile, std::string_view name) {
    const std::size_t count = be32(profile, header_size);
    if (count > most_tags || header_size + 4 + 12 * count > profile.size()) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = header_size + 4 + 12 * i;
        if (!says(profile, entry, name)) continue;
        const std::size_t offset = be32(profile, entry + 4);
        const std::size_t size = be32(profile, entry + 8);
        if (offset > profile.size() || size > profile.size() - offset || size < 8) return std::nullopt;
        return profile.subspan(offset, size);
    }
    return std::nullopt;
}

bool is_primary(Bytes profile, std::string_view name, std::array<double, 3> wanted) {
    const auto data = tag(profile, name);
    if (!data || data->size() < 20 || !says(*data, 0, "XYZ ")) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(fixed16(*data, 8 + 4 * i) - wanted[i]) > primary_tolerance) return false;
    }
    return true;
}

double encoded(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// A curve of the profile at `value`; nothing for kinds that sRGB is not written in.
std::optional<double> curve_at(Bytes curve, double value) {
    if (curve.size() < 12) return std::nullopt;
    if (says(curve, 0, "curv")) {
        const std::size_t count = be32(curve, 8);
        if (count < 2 || count > (curve.size() - 12) / 2) return std::nullopt;
        const double place = value * static_cast<double>(count - 1);
        const auto below = std::min(static_cast<std::size_t>(place), count - 2);
        const double part = place - static_cast<double>(below);
        return ((1 - part) * u16(curve, 12 + 2 * below) + part * u16(curve, 14 + 2 * below)) / 65535.0;
    }
    if (!says(curve, 0, "para")) return std::nullopt;
    const double kind = u16(curve, 8);
    if (kind != 3 || curve.size() < 12 + 4 * 5) return std::nullopt;
    const double linear_until = fixed16(curve, 28);
    if (value < linear_until) return fixed16(curve, 24) * value;
    return std::pow(std::max(0.0, fixed16(curve, 16) * value + fixed16(curve, 20)), fixed16(curve, 12));
}

bool is_srgb_curve(Bytes profile, std::string_view name) {
    const auto data = tag(profile, name);
    if (!data) return false;
    constexpr int steps = 64;
    for (int i = 0; i <= steps; ++i) {
        const double value = static_cast<double>(i) / steps;
        const auto linear = curve_at(*data, value);
        if (!linear || !(std::abs(encoded(*linear) - value) <= curve_tolerance)) return false;
    }
    return true;
}

}  // namespace

bool describes_srgb(std::span<const std::uint8_t> profile) {
    if (profile.size() < header_size + 4) return false;
    if (!says(profile, 36, "acsp") || !says(profile, 16, "RGB ") || !says(profile, 20, "XYZ ")) return false;
    if (tag(profile, "A2B0") || tag(profile, "A2B1")) return false;
    return is_primary(profile, "rXYZ", {0.4361, 0.2225, 0.0139}) &&
           is_primary(profile, "gXYZ", {0.3851, 0.7169, 0.0971}) &&
           is_primary(profile, "bXYZ", {0.1431, 0.0606, 0.7141}) && is_srgb_curve(profile, "rTRC") &&
           is_srgb_curve(profile, "gTRC") && is_srgb_curve(profile, "bTRC");
}

}  // namespace tessera::imaging
