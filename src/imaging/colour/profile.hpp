// Inside imaging only: what ICC profiles do to pixels, by Little CMS.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "imaging/pixels/mapped_image.hpp"

namespace tessera::imaging {

// Pixels as a profile speaks of them. Alpha, where there is one, is the last sample.
struct DeviceColours {
    enum class Kind { grey, rgb, cmyk };
    Kind kind = Kind::rgb;
    bool alpha = false;
    int bits = 8;  // or 16
};

// From `colours` to sRGB with eight bits a sample, or to its greys from grey; alpha is rounded to eight bits. Nothing
// where the profile can't be used, or is for another kind of colours.
std::optional<PixelMap> map_to_srgb(std::span<const std::uint8_t> profile, const DeviceColours& colours);

// Where red, green, blue and white lie in CIE's diagram, and the exponent that makes samples linear; 0: sRGB's curve.
struct ColourSpace {
    struct Point {
        double x = 0;
        double y = 0;
    };
    Point red{0.64, 0.33};
    Point green{0.30, 0.60};
    Point blue{0.15, 0.06};
    Point white{0.3127, 0.3290};
    double exponent = 0;
};

// The profile that says the same; empty where there is none. Of a grey one the exponent alone counts.
std::string profile_of(const ColourSpace& space, bool grey);

}  // namespace tessera::imaging
