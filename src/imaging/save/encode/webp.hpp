// Inside imaging only: WebP with our own encoder, or straight from libwebp, which can do more than libvips asks it for.
#pragma once

#include <vips/vips8>

#include "imaging/save/file_target.hpp"
#include "imaging/save/kept/metadata.hpp"
#include "imaging/save/save.hpp"

namespace tessera::imaging {

// Of eight bits a sample. Throws VError; what the file refuses is in its failure().
void encode_webp(const vips::VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata,
                 Progress& progress);
// Processor time that it may take, for progress.
double webp_seconds(const Encoding& encoding, double megapixels);

}  // namespace tessera::imaging
