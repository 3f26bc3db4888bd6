// Inside imaging only: the metadata of a JPEG XL, which libvips 8.14 does not read.
#pragma once

#include <vips/vips8>

namespace tessera::imaging {

// `image` with the EXIF and XMP that the file has in boxes, where those are not compressed. The orientation is the
// codestream's, and the decoder has seen to it.
vips::VImage with_boxes(int fd, const vips::VImage& image);

}  // namespace tessera::imaging
