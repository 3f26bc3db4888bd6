// Inside imaging only: what the samples of a PNG mean, as its header says it.
#pragma once

#include <cstdint>

namespace tessera::imaging {

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

}  // namespace tessera::imaging
