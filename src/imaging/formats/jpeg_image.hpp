// Inside imaging only: a grey or colour JPEG as a libvips picture: decoded by our own reader where it is wanted
// smaller, and otherwise by libjpeg-turbo with large reads.
#pragma once

#include <optional>
#include <vips/vips8>

namespace tessera::imaging {

// The picture with its metadata, in whole pixels of 1/`shrink` (1, 2, 4 or 8). Nothing for kinds that libvips has to
// see to, or to say what is wrong with. Rows can be had once, from top to bottom. Throws VError.
std::optional<vips::VImage> plain_jpeg(int fd, int shrink);
// The same without pixels.
std::optional<vips::VImage> plain_jpeg_header(int fd);

}  // namespace tessera::imaging
