// What a HEIF or AVIF file's table of items says, where libheif has no words for it.
#pragma once

#include <optional>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

// Whether the picture to be shown, or the first piece that it is put together from, is coded with AV1. A file's brands
// need not say so: "mif1" alone leaves it open.
bool primary_item_is_av1(FileBytes file);

// How the picture to be shown is cropped and then turned.
struct HeifTurns {
    struct Crop {
        int left = 0;
        int top = 0;
        int width = 0;
        int height = 0;
    };
    std::optional<Crop> crop;
    int orientation = 1;  // in EXIF's numbers
    bool mirrored = false;
};

// Nothing where the file has them in another order than cropped, rotated, mirrored. The size is before all that.
std::optional<HeifTurns> primary_item_turns(FileBytes file, int width, int height);

}  // namespace tessera::codecs
