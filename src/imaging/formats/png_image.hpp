// Inside imaging only: a plain PNG as a libvips picture, read by our own reader.
#pragma once

#include <optional>
#include <vips/vips8>

#include "imaging/pixels/box_shrink.hpp"

namespace tessera::imaging {

// The picture with its metadata: its pixels, or a mean of boxes of them. Nothing where the file is not of a plain kind.
// Rows can be had once, from top to bottom. Throws VError.
std::optional<vips::VImage> plain_png(int fd, BoxFactors factors);
// The same without pixels.
std::optional<vips::VImage> plain_png_header(int fd);

}  // namespace tessera::imaging
