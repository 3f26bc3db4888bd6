// What a JPEG file carries beside its pixels, read without a decoder.
#pragma once

#include "codecs/bytes/embedded_metadata.hpp"

namespace tessera::codecs {

// The first of each that stands before the pixels. A colour profile that is not all there, or whose parts contradict
// each other, is none. The file's position is left alone.
GatheredMetadata read_jpeg_metadata(int fd);

}  // namespace tessera::codecs
