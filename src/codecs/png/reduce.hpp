// The smallest PNG pixel format that holds exactly the pixels of a picture.
#pragma once

#include "codecs/png/pixels.hpp"

namespace tessera::codecs {

struct PngReduction {
    // Not where a profile for the other kind stays in the file: a palette is of colours.
    bool to_grey = true;
    bool to_colours = true;
};

// Drops what carries nothing: low bytes that repeat the high ones, alpha that is opaque everywhere, colour channels
// that are equal, and, with at most 256 colours, the channels themselves. From 8 or 16 bits without a palette.
PngPixels reduced(PngPixels pixels, const PngReduction& allowed);

}  // namespace tessera::codecs
