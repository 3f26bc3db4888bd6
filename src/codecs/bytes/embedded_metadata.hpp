// What a file carries beside its pixels, as it lies there.
#pragma once

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

// Empty where there are none. EXIF starts with its TIFF header.
struct EmbeddedMetadata {
    FileBytes icc;
    FileBytes exif;
    FileBytes xmp;
};

}  // namespace tessera::codecs
