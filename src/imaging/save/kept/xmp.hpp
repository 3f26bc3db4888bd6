// Inside imaging only: an XMP packet made true of a picture that was turned, scaled or converted.
#pragma once

#include <string>
#include <string_view>

#include "imaging/save/kept/exif.hpp"

namespace tessera::imaging {

// What the packet repeats of EXIF's orientation, size and colour space says what EXIF says; all else is as it was.
std::string xmp_of(std::string_view xmp, const PictureFacts& facts);

}  // namespace tessera::imaging
