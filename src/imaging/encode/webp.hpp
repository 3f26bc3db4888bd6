// Inside imaging only: WebP straight from libwebp, which can do more than libvips asks it for.
#pragma once

#include <vips/vips8>

#include "imaging/file_target.hpp"
#include "imaging/save.hpp"

namespace tessera::imaging {

// Files that keep metadata or a profile are left to libvips' own saver.
bool can_encode_webp(const vips::VImage& image, const Encoding& encoding);

// Throws VError; what the file refuses is in its failure().
void encode_webp(const vips::VImage& image, FileTarget& file, const Encoding& encoding);

}  // namespace tessera::imaging
