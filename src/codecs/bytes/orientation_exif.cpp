#include "codecs/bytes/orientation_exif.hpp"

namespace tessera::codecs {

std::string orientation_exif(int orientation) {
    using namespace std::string_literals;
    // Little-endian TIFF: one directory of one entry, tag 0x0112, type short, count 1; no next directory.
    return "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0"s + static_cast<char>(orientation) + "\0\0\0\0\0\0\0"s;
}

}  // namespace tessera::codecs
