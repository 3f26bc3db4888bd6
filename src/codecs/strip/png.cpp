#include "codecs/bytes/orientation_exif.hpp"
#include "codecs/png/encoder.hpp"
#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

// Pixels, and what says which colours they mean and in which shape they are shown.
bool changes_the_look(std::string_view type) {
    for (const std::string_view kept : {"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT",
                                        "cICP", "mDCV", "cLLI", "pHYs"}) {
        if (type == kept) return true;
    }
    return false;
}

}  // namespace

std::optional<Pieces> strip_png(FileBytes file, int orientation) {
    constexpr std::size_t signature = 8;
    constexpr std::size_t overhead = 12;
    if (file.size() < signature + overhead) return std::nullopt;
    Pieces pieces;
    pieces.keep(file.first(signature));
    for (std::size_t at = signature; at + overhead <= file.size();) {
        const std::size_t length = overhead + read_big32(file, at);
        if (length > file.size() - at) return std::nullopt;
        const std::string_view type = text_of(file.subspan(at + 4, 4));
        if (changes_the_look(type)) pieces.keep(file.subspan(at, length));
        if (at == signature && orientation != 1) pieces.add(png_chunk("eXIf", orientation_exif(orientation)));
        if (type == "IEND") return pieces;
        at += length;
    }
    return std::nullopt;
}

}  // namespace tessera::codecs
