#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

bool is_metadata(std::string_view type) {
    return type == "Exif" || type == "xml " || type == "jumb" || type == "brob" || type == "free";
}

}  // namespace

std::optional<Pieces> strip_jxl(FileBytes file) {
    Pieces pieces;
    if (file.size() >= 2 && file[0] == 0xFF && file[1] == 0x0A) {  // a bare codestream holds nothing else
        pieces.keep(file);
        return pieces;
    }
    for (std::size_t at = 0; at < file.size();) {
        if (file.size() - at < 8) return std::nullopt;
        std::uint64_t length = read_big32(file, at);
        if (length == 1) {
            if (file.size() - at < 16) return std::nullopt;
            length = read_big64(file, at + 8);
        } else if (length == 0) {  // to the end of the file
            length = file.size() - at;
        }
        if (length < 8 || length > file.size() - at) return std::nullopt;
        if (!is_metadata(text_of(file.subspan(at + 4, 4)))) pieces.keep(file.subspan(at, length));
        at += length;
    }
    return pieces;
}

}  // namespace tessera::codecs
