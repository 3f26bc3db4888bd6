#include "imaging/colour/srgb_profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace tessera::imaging {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Primaries = std::array<std::array<double, 3>, 3>;

constexpr Primaries srgb = {{{0.4361, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}}};
constexpr Primaries display_p3 = {{{0.5151, 0.2412, -0.0011}, {0.2920, 0.6922, 0.0419}, {0.1571, 0.0666, 0.7841}}};

void put32(Bytes& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}
void put_fixed(Bytes& out, double value) {
    put32(out, static_cast<std::uint32_t>(std::lround(value * 65536)));
}
void put_text(Bytes& out, const std::string& text) {
    out.insert(out.end(), text.begin(), text.end());
}

Bytes xyz(const std::array<double, 3>& values) {
    Bytes out;
    put_text(out, "XYZ ");
    put32(out, 0);
    for (const double value : values) put_fixed(out, value);
    return out;
}

Bytes formula(const std::vector<double>& parameters) {
    Bytes out;
    put_text(out, "para");
    put32(out, 0);
    put32(out, 3U << 16);
    for (const double parameter : parameters) put_fixed(out, parameter);
    return out;
}
const Bytes srgb_formula = formula({2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045});

double srgb_linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Bytes table(std::size_t count, const std::function<double(double)>& curve) {
    Bytes out;
    put_text(out, "curv");
    put32(out, 0);
    put32(out, static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = std::lround(65535 * curve(static_cast<double>(i) / static_cast<double>(count - 1)));
        out.push_back(static_cast<std::uint8_t>(value >> 8));
        out.push_back(static_cast<std::uint8_t>(value));
    }
    return out;
}

Bytes profile(const Primaries& primaries, const Bytes& curve, const std::string& space = "RGB ",
              const std::string& more = "desc") {
    Bytes out(128);
    const auto at = [&](std::size_t place, const std::string& text) {
        std::copy(text.begin(), text.end(), out.begin() + static_cast<std::ptrdiff_t>(place));
    };
    at(12, "mntr");
    at(16, space);
    at(20, "XYZ ");
    at(36, "acsp");
    const std::vector<std::pair<std::string, Bytes>> tags = {{"rXYZ", xyz(primaries[0])},
                                                             {"gXYZ", xyz(primaries[1])},
                                                             {"bXYZ", xyz(primaries[2])},
                                                             {"rTRC", curve},
                                                             {"gTRC", curve},
                                                             {"bTRC", curve},
                                                             {more, Bytes(16)}};
    put32(out, static_cast<std::uint32_t>(tags.size()));
    std::size_t offset = out.size() + 12 * tags.size();
    for (const auto& [name, data] : tags) {
        put_text(out, name);
        put32(out, static_cast<std::uint32_t>(offset));
        put32(out, static_cast<std::uint32_t>(data.size()));
        offset += data.size();
    }
    for (const auto& [name, data] : tags) out.insert(out.end(), data.begin(), data.end());
    return out;
}

TEST(SrgbProfile, IsKnownByFormulaAndByTable) {
    EXPECT_TRUE(describes_srgb(profile(srgb, srgb_formula)));
    EXPECT_TRUE(describes_srgb(profile(srgb, table(1024, srgb_linear))));
    EXPECT_TRUE(describes_srgb(profile(srgb, table(4096, srgb_linear))));
}

TEST(SrgbProfile, OthersAreNot) {
    EXPECT_FALSE(describes_srgb(profile(display_p3, srgb_formula)));
    EXPECT_FALSE(describes_srgb(profile(srgb, table(1024, [](double value) { return std::pow(value, 1.8); }))));
    EXPECT_FALSE(describes_srgb(profile(srgb, table(1024, [](double value) { return value; }))));
    EXPECT_FALSE(describes_srgb(profile(srgb, formula({2.2, 1, 0, 0, 0}))));
    EXPECT_FALSE(describes_srgb(profile(srgb, srgb_formula, "CMYK")));
    EXPECT_FALSE(describes_srgb(profile(srgb, srgb_formula, "RGB ", "A2B0")));
}

TEST(SrgbProfile, DamagedOnesAreNot) {
    const Bytes whole = profile(srgb, table(1024, srgb_linear));
    for (std::size_t length = 0; length + 16 < whole.size(); length += 7) {
        EXPECT_FALSE(describes_srgb(std::span(whole).first(length))) << length;
    }
    Bytes endless = whole;
    endless[128] = 0xff;  // of tags
    EXPECT_FALSE(describes_srgb(endless));
    Bytes outside = whole;
    outside[132 + 4] = 0xff;  // the first tag's offset
    EXPECT_FALSE(describes_srgb(outside));
}

}  // namespace
}  // namespace tessera::imaging
