#include "imaging/strip/formats.hpp"

namespace tessera::imaging {
namespace {

constexpr std::uint8_t start_of_scan = 0xDA;
constexpr std::uint8_t end_of_image = 0xD9;

bool stands_alone(std::uint8_t marker) {
    return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

// Of the application segments only those that decoders need: JFIF, the colour profile, Adobe's colour transform.
bool changes_the_look(std::uint8_t marker, FileBytes body) {
    const auto starts_with = [&](std::string_view prefix) { return text_of(body).starts_with(prefix); };
    using namespace std::string_view_literals;
    if (marker == 0xFE) return false;
    if (marker < 0xE0 || marker > 0xEF) return true;
    return (marker == 0xE0 && starts_with("JFIF\0"sv)) || (marker == 0xE2 && starts_with("ICC_PROFILE\0"sv)) ||
           (marker == 0xEE && starts_with("Adobe"sv));
}

std::string exif_segment(int orientation) {
    using namespace std::string_literals;
    const std::string body = "Exif\0\0"s + orientation_exif(orientation);
    return "\xFF\xE1\0"s + static_cast<char>(body.size() + 2) + body;
}

// The end of entropy-coded data that starts at `at`: the next marker that is not part of it.
std::size_t end_of_scan(FileBytes file, std::size_t at) {
    for (; at + 1 < file.size(); ++at) {
        if (file[at] != 0xFF) continue;
        const std::uint8_t next = file[at + 1];
        if (next != 0 && !(next >= 0xD0 && next <= 0xD7) && next != 0xFF) return at;
    }
    return file.size();
}

}  // namespace

std::optional<Pieces> strip_jpeg(FileBytes file, int orientation) {
    if (file.size() < 4 || file[0] != 0xFF || file[1] != 0xD8) return std::nullopt;
    Pieces pieces;
    pieces.keep(file.first(2));
    bool oriented = orientation == 1;
    std::size_t at = 2;
    while (at + 4 <= file.size() || (at + 2 <= file.size() && file[at + 1] == end_of_image)) {
        if (file[at] != 0xFF) return std::nullopt;
        const std::uint8_t marker = file[at + 1];
        if (marker == 0xFF) {  // a fill byte
            ++at;
            continue;
        }
        if (marker == end_of_image) {
            pieces.keep(file.subspan(at, 2));  // what follows (previews, videos) is not this picture
            return pieces;
        }
        if (stands_alone(marker)) {
            pieces.keep(file.subspan(at, 2));
            at += 2;
            continue;
        }
        const std::size_t length = 2 + read_big16(file, at + 2);
        if (length < 4 || at + length > file.size()) return std::nullopt;
        // EXIF belongs after JFIF and before everything else.
        if (!oriented && marker != 0xE0) {
            pieces.add(exif_segment(orientation));
            oriented = true;
        }
        if (changes_the_look(marker, file.subspan(at + 4, length - 4))) pieces.keep(file.subspan(at, length));
        at += length;
        if (marker == start_of_scan) {
            const std::size_t end = end_of_scan(file, at);
            pieces.keep(file.subspan(at, end - at));
            at = end;
        }
    }
    return std::nullopt;  // no end of the image: truncated
}

}  // namespace tessera::imaging
