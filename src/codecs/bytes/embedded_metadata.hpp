// What a file carries beside its pixels, as it lies there.
#pragma once

#include <vector>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

// Empty where there are none.
struct EmbeddedMetadata {
    FileBytes icc;
    FileBytes exif;
    FileBytes xmp;
    FileBytes iptc{};  // as JPEG has it: "Photoshop 3.0" and resources
};

// Put together from pieces of a file, or unfolded.
struct GatheredMetadata {
    std::vector<std::uint8_t> icc;
    std::vector<std::uint8_t> exif;
    std::vector<std::uint8_t> xmp;
    std::vector<std::uint8_t> iptc;
    [[nodiscard]] EmbeddedMetadata bytes() const { return {icc, exif, xmp, iptc}; }
};

}  // namespace tessera::codecs
