// Inside imaging only: pixels in the form that libaom encodes.
#pragma once

#include <aom/aom_image.h>

#include "core/owned.hpp"
#include "imaging/save/encode/texture.hpp"

namespace tessera::imaging {

using Av1Planes = Owned<aom_image_t, aom_img_free>;

// How colour is written. Grey has none.
enum class Av1Colour {
    exact,   // red, green and blue as they are, of 8 bits
    full,    // lightness, and two colours at its resolution (BT.709, full range)
    halved,  // two colours at half of its resolution (BT.601)
};

// Of 8 or of 10 bits. Throws VError where there is no memory.
Av1Planes planes_of(const PixelRows& rows, Av1Colour colour, int bits);
Av1Planes opacity_of(const PixelRows& rows, int bits);

bool is_grey(const PixelRows& rows);
bool has_opacity(const PixelRows& rows);

}  // namespace tessera::imaging
