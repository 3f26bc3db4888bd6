// EXIF that says nothing but how a picture is to be turned.
#pragma once

#include <string>

namespace tessera::codecs {

// An EXIF block (a TIFF header and one entry) that says only this; without the "Exif\0\0" in front.
std::string orientation_exif(int orientation);

}  // namespace tessera::codecs
