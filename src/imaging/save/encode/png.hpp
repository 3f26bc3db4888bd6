// Inside imaging only: PNG from a libvips picture, as small as the effort allows.
#pragma once

#include <vips/vips8>

#include "imaging/save/file_target.hpp"
#include "imaging/save/save.hpp"

namespace tessera::imaging {

// Pictures too large to hold are left to libvips' own saver.
bool can_encode_png(const vips::VImage& image);

// Throws VError; what the file refuses is in its failure().
void encode_png(const vips::VImage& image, FileTarget& file, const Encoding& encoding);
// Processor time that it may take, for progress.
double png_seconds(const Encoding& encoding, double megapixels);

}  // namespace tessera::imaging
