// What the samples of a PNG mean, as its header says it.
#pragma once

#include <cstdint>

namespace tessera::codecs {

enum class PngColourType : std::uint8_t { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgba = 6 };

// As stored; 0 for what is no colour type.
constexpr int channels_of(PngColourType type) {
    switch (type) {
        case PngColourType::grey:
        case PngColourType::palette: return 1;
        case PngColourType::grey_alpha: return 2;
        case PngColourType::rgb: return 3;
        case PngColourType::rgba: return 4;
    }
    return 0;
}

// Grey, grey and alpha, RGB, RGBA: 1 to 4.
constexpr PngColourType colour_type_of(int channels) {
    constexpr PngColourType types[] = {PngColourType::grey, PngColourType::grey_alpha, PngColourType::rgb,
                                       PngColourType::rgba};
    return types[channels - 1];
}

}  // namespace tessera::codecs
