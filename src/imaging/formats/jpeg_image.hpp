// Inside imaging only: a grey or colour JPEG as a libvips picture: decoded by our own reader where it is wanted
// smaller, and otherwise by libjpeg-turbo with large reads.
#pragma once

#include <optional>
#include <vips/vips8>

namespace tessera::imaging {

// The picture whose header libvips has read, with `shrink` (1, 2, 4 or 8) already in its size. Nothing for colours
// that libvips has to see to, such as CMYK. Rows can be had once, from top to bottom. Throws VError.
std::optional<vips::VImage> plain_jpeg(int fd, const vips::VImage& header, int shrink);

}  // namespace tessera::imaging
