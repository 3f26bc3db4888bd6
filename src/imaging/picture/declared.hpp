// What a file declares in its first bytes, and what its bytes can hold: read without any decoder, before one takes
// memory for it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/image_format.hpp"

namespace tessera::imaging {

struct DeclaredSize {
    std::int64_t width = 0;
    std::int64_t height = 0;
};

struct Declared {
    DeclaredSize canvas;  // before it is turned
    DeclaredSize
        frame;  // the picture, or the first of an animation: the part of the canvas that the file has pixels for
    // The most pixels that the file's bytes could hold, by a bound that no honest file is beyond. Formats have none
    // that store a plain colour of any size in a few bytes: lossless WebP, AVIF, HEIF and JPEG XL.
    std::optional<std::int64_t> most_pixels;
};

// Nothing where it is not easy to read; the decoder is asked then.
std::optional<Declared> read_declared(int file, ImageFormat format);

}  // namespace tessera::imaging
