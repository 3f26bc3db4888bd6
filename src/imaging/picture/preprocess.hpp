// Steps that a picture may go through before it is cut into tiles. Each takes eight-bit sRGB or grey.
#pragma once

#include "imaging/picture/open.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

// The lightness that a hundredth of the picture is darker than, and that a hundredth is lighter than.
struct ContrastLevels {
    double low = 0;
    double high = 255;
};

// Reads the source once more, reduced where its decoder can do so.
JobResult<ContrastLevels> measure_levels(const Source& source);
JobResult<Image> stretch(const Image& image, const ContrastLevels& levels);
JobResult<Image> sharpen(const Image& image);
JobResult<Image> grayscale(const Image& image);

}  // namespace tessera::imaging
