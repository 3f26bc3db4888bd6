// How a picture is to be turned, as EXIF has it.
#pragma once

#include <string>
#include <string_view>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

constexpr std::uint32_t exif_orientation_tag = 0x0112;

// An EXIF block (a TIFF header and one entry) that says only this; without the "Exif\0\0" in front.
std::string orientation_exif(int orientation);

// From its TIFF header on: files other than JPEG should leave out the "Exif\0\0" in front, and some have it.
std::string_view without_mark(std::string_view exif);

// What such a block says, with or without that: 1 to 8, and 1 where it says nothing of the kind.
int orientation_of(FileBytes exif);

}  // namespace tessera::codecs
