// Inside imaging only: colours for the pixels that nobody sees, so that they do not sharpen the edge of what is seen.
#pragma once

#include <vips/vips8>

namespace tessera::imaging {

// The colours of a picture with alpha, without it. Where the picture is transparent, those of its surroundings go on,
// farther than sharpening with this sigma looks. Throws VError.
vips::VImage colours_going_on(const vips::VImage& image, double sigma);

}  // namespace tessera::imaging
