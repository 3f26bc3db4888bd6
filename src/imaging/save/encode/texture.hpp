// Inside imaging only: how much fine detail a picture has. Detail hides what an encoder loses; smooth areas show it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::imaging {

struct PixelRows {
    const std::uint8_t* first = nullptr;
    std::size_t stride = 0;
    int width = 0;
    int height = 0;
    int channels = 3;  // the first alone, or the first three as red, green and blue, are looked at
};

// The mean difference between four times a pixel's lightness and its four neighbours': 0 for a flat area, 1 to 5 for
// soft photographs, 20 to 40 for foliage, fur and drawings full of lines. Of large pictures, rows are sampled.
double texture_of(const PixelRows& rows);

}  // namespace tessera::imaging
