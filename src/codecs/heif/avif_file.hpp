// Writes AVIF files around pictures that are coded already: the boxes of ISO/IEC 14496-12, 23008-12 and of AVIF.
#pragma once

#include <optional>
#include <string>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

struct AvifFile {
    int width = 0;
    int height = 0;
    int bits = 8;
    bool is_grey = false;
    bool has_halved_colour = false;
    bool is_exact_colour = false;  // red, green and blue, rather than lightness and two colours (BT.709, halved BT.601)
    // AV1's units, beginning with a sequence header for one still picture.
    FileBytes colour{};
    FileBytes opacity{};  // of the same size and depth, and grey; may be absent
    // Each may be absent.
    FileBytes profile{};  // ICC
    FileBytes exif{};     // a TIFF structure
    FileBytes xmp{};
};

// Nothing where the coded data does not begin with such a header, or the file would pass 4 GiB.
std::optional<std::string> write_avif(const AvifFile& file);

}  // namespace tessera::codecs
