// Inside imaging only: AVIF files, by libaom. libvips' saver leaves the number of threads to libheif, and libheif of
// ten bits fails.
#pragma once

#include <vips/vips8>

#include "imaging/save/file_target.hpp"
#include "imaging/save/kept/metadata.hpp"
#include "imaging/save/save.hpp"

namespace tessera::imaging {

// Of eight bits a sample. Throws VError; what the file refuses is in its failure().
void encode_avif(const vips::VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata);
// The least difference in quality that makes another file.
double avif_step(const Encoding& encoding);
int avif_ways(const Encoding& encoding);
// Processor time that it may take, for progress.
double avif_seconds(const Encoding& encoding, double megapixels);

}  // namespace tessera::imaging
