#include <algorithm>

#include "codecs/bytes/orientation_exif.hpp"
#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

constexpr std::uint8_t exif_flag = 0x08;
constexpr std::uint8_t xmp_flag = 0x04;

std::string little32(std::uint32_t value) {
    std::string out;
    for (const unsigned shift : {0U, 8U, 16U, 24U}) out += static_cast<char>(value >> shift & 255);
    return out;
}

std::string extended_header(FileBytes chunk, bool with_exif) {
    std::string header(text_of(chunk));
    auto flags = static_cast<std::uint8_t>(chunk[8] & ~(exif_flag | xmp_flag));
    if (with_exif) flags |= exif_flag;
    header[8] = static_cast<char>(flags);
    return header;
}

}  // namespace

std::optional<Pieces> strip_webp(FileBytes file, int orientation) {
    constexpr std::size_t riff_header = 12;
    if (file.size() < riff_header + 8 || text_of(file.first(4)) != "RIFF") return std::nullopt;
    const bool extended = text_of(file.subspan(riff_header, 4)) == "VP8X";
    const bool with_exif = extended && orientation != 1;
    file =
        file.first(std::min<std::size_t>(file.size(), 8 + std::size_t{read_little32(file, 4)}));  // no trailing bytes
    Pieces body;
    bool framed = false;
    bool pictured = false;
    for (std::size_t at = riff_header; at + 8 <= file.size();) {
        const std::size_t size = read_little32(file, at + 4);
        const std::size_t length = 8 + size + (size & 1);
        if (8 + size > file.size() - at) return std::nullopt;
        const FileBytes chunk = file.subspan(at, std::min(length, file.size() - at));
        const std::string_view type = text_of(chunk.first(4));
        const auto keep = [&] {
            body.keep(chunk);
            if (chunk.size() < length) body.add(std::string(1, '\0'));  // the filling that the last one may lack
        };
        if (type == "VP8X") {
            if (at != riff_header || chunk.size() < 18) return std::nullopt;
            body.add(extended_header(chunk, with_exif));
        } else if (type == "ICCP" || type == "ALPH" || type == "VP8 " || type == "VP8L" || type == "ANIM") {
            keep();
            pictured = pictured || type == "VP8 " || type == "VP8L";
        } else if (type == "ANMF" && !framed) {
            keep();
            framed = true;
        }
        at += length;
    }
    if (!pictured && !framed) return std::nullopt;
    if (with_exif) {
        const std::string exif = orientation_exif(orientation);
        body.add("EXIF" + little32(static_cast<std::uint32_t>(exif.size())) + exif);
    }
    Pieces pieces;
    pieces.add("RIFF" + little32(static_cast<std::uint32_t>(body.size() + 4)) + "WEBP");
    body.write_to([&](FileBytes piece) {
        const bool original = piece.data() >= file.data() && piece.data() < file.data() + file.size();
        if (original)
            pieces.keep(piece);
        else
            pieces.add(std::string(text_of(piece)));
        return true;
    });
    return pieces;
}

}  // namespace tessera::codecs
