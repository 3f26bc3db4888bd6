#include "codecs/bytes/orientation_exif.hpp"
#include "codecs/jpeg/markers.hpp"
#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

constexpr std::uint8_t first_marker = 0xC0;  // less are reserved, and zero is a byte of a scan

// Of the application segments only those that decoders need: JFIF, the colour profile, Adobe's colour transform.
bool changes_the_look(std::uint8_t marker, FileBytes body) {
    const auto starts_with = [&](std::string_view prefix) { return text_of(body).starts_with(prefix); };
    using namespace std::string_view_literals;
    if (!is_application_data(marker)) return true;
    return (marker == jpeg_app0 && starts_with("JFIF\0"sv)) ||
           (marker == jpeg_app2 && starts_with("ICC_PROFILE\0"sv)) || (marker == jpeg_app14 && starts_with("Adobe"sv));
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
        if (next != 0 && !is_restart(next) && next != 0xFF) return at;
    }
    return file.size();
}

}  // namespace

std::optional<Pieces> strip_jpeg(FileBytes file, int orientation) {
    auto segment = segment_at(file, 0);
    if (!segment || segment->marker != jpeg_soi) return std::nullopt;
    Pieces pieces;
    pieces.keep(file.first(segment->end));
    bool oriented = orientation == 1;
    while ((segment = segment_at(file, segment->end))) {
        const FileBytes whole = file.subspan(segment->begin, segment->end - segment->begin);
        if (segment->marker == jpeg_eoi) {
            pieces.keep(whole);
            return pieces;  // what follows (previews, videos) is not this picture
        }
        // A restart, or what is no marker, would become a part of the scan before it, once what is between them is
        // gone.
        if (stands_alone(segment->marker) || segment->marker < first_marker) return std::nullopt;
        // EXIF belongs after JFIF and before everything else.
        if (!oriented && segment->marker != jpeg_app0) {
            pieces.add(exif_segment(orientation));
            oriented = true;
        }
        if (changes_the_look(segment->marker, segment->body)) pieces.keep(whole);
        if (segment->marker == jpeg_sos) {
            const std::size_t end = end_of_scan(file, segment->end);
            pieces.keep(file.subspan(segment->end, end - segment->end));
            segment->end = end;
        }
    }
    return std::nullopt;  // no end of the image: truncated, or damaged
}

}  // namespace tessera::codecs
