#include "codecs/heif/boxes.hpp"
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
        const auto box = box_at(file, at);
        if (!box) return std::nullopt;
        if (!is_metadata(box->type)) pieces.keep(box->whole);
        at += box->whole.size();
    }
    return pieces;
}

}  // namespace tessera::codecs
