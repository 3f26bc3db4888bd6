// A libvips pipeline as a source of rows. The pipeline runs on libvips' own threads, from top to bottom.
#pragma once

#include <memory>

#include "imaging/pixels/image.hpp"
#include "imaging/pixels/row_source.hpp"

namespace tessera::imaging {

// `image` is eight-bit sRGB or grey, with or without alpha, as to_srgb() makes it.
JobResult<std::unique_ptr<RowSource>> rows_of(const Image& image);

}  // namespace tessera::imaging
