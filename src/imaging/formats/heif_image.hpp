// Inside imaging only: HEIF and AVIF through libheif itself. libvips shows a file's first picture; the one to be shown
// is the one that the file calls its primary item.
#pragma once

#include <vips/vips8>

namespace tessera::imaging {

// The primary item as it is to be shown: put together from its tiles, with its alpha, cropped, turned and mirrored as
// the file says. EXIF has no say in that. Pixels are decoded when they are asked for. Throws VError.
vips::VImage load_heif(int fd);

}  // namespace tessera::imaging
