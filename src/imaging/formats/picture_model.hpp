// Inside imaging only: what libvips is told of a picture that our own code decodes.
#pragma once

#include <vips/vips8>

#include "codecs/bytes/embedded_metadata.hpp"

namespace tessera::imaging {

struct PictureModel {
    int width = 0;
    int height = 0;
    int bands = 3;      // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
    bool deep = false;  // 16 bits a sample, in the machine's order; otherwise 8
    bool inks = false;  // four bands of CMYK
};

// For image_of_rows(): a picture without pixels, with its metadata and EXIF's orientation. Throws VError.
vips::VImage model_of(const PictureModel& model, const codecs::EmbeddedMetadata& metadata);

}  // namespace tessera::imaging
