// Opens a source image: the loader is the one for the format we were told, never libvips' own guess.
#pragma once

#include <cstdint>

#include "core/image_format.hpp"
#include "core/job.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::imaging {

struct Source {
    int fd = -1;  // borrowed; read from its beginning
    ImageFormat format = ImageFormat::jpeg;
    std::int64_t max_pixels = 0;
    std::int64_t max_progressive_bytes = std::int64_t{1} << 30;  // of coefficients that a progressive JPEG needs
};

// Reads the header of the first page and checks the limits; pixels follow from top to bottom when they are asked for.
JobResult<Image> open(const Source& source);

// A picture, and how many pixels of the file one of its pixels stands for along each edge. The last one of a row or
// column may stand for fewer or more, so that it does not follow from the sizes.
struct ReducedImage {
    Image image;
    double across = 1;
    double down = 1;
};

// A picture that was opened and not read from, or where the format's decoder can do that for less work another one of
// it, from whose size `size` (before orientation) can be reached by reduction.
JobResult<ReducedImage> reduced(const Image& opened, const Source& source, Size size);

}  // namespace tessera::imaging
