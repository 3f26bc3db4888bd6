// Inside imaging only: a lossy WebP made smaller while it is decoded, without libwebp, a few rows of it in memory.
#pragma once

#include <memory>

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/webp/container.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {

// Rows of this size, in three bands. Null, and the file left alone, where libwebp has to do it: for opacity, without
// loss, for a frame on a larger canvas, for more than half of an edge, or where the header is not as it should be.
std::unique_ptr<RowMaker> reduced_webp_rows(codecs::MappedFile& file, const codecs::WebpContainer& container, int width,
                                            int height);

}  // namespace tessera::imaging
