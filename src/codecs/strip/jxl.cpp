#include "codecs/heif/boxes.hpp"
#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

// What decoders need for the pixels. What a JPEG can be made from again (jbrd) has its comments, too.
bool is_of_the_picture(std::string_view type) {
    for (const std::string_view kept : {"JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli"}) {
        if (type == kept) return true;
    }
    return false;
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
        if (is_of_the_picture(box->type)) pieces.keep(box->whole);
        at += box->whole.size();
    }
    return pieces;
}

}  // namespace tessera::codecs
