#include "codecs/bytes/orientation_exif.hpp"

#include "codecs/bytes/tiff.hpp"

namespace tessera::codecs {

std::string orientation_exif(int orientation) {
    using namespace std::string_literals;
    // Little-endian TIFF: one directory of one entry, tag 0x0112, type short, count 1; no next directory.
    return "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0"s + static_cast<char>(orientation) + "\0\0\0\0\0\0\0"s;
}

std::string_view without_mark(std::string_view exif) {
    constexpr std::string_view mark("Exif\0\0", 6);
    if (exif.starts_with(mark)) exif.remove_prefix(mark.size());
    return exif;
}

int orientation_of(FileBytes exif) {
    constexpr std::uint32_t last = 8;
    const Tiff tiff(exif.last(without_mark(text_of(exif)).size()));
    const std::uint32_t said = tiff.usable() ? tiff.value(tiff.first_directory(), exif_orientation_tag) : 0;
    return said >= 1 && said <= last ? static_cast<int>(said) : 1;
}

}  // namespace tessera::codecs
