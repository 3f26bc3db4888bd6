#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

std::size_t colour_table_bytes(std::uint8_t flags) {
    return (flags & 0x80) == 0 ? 0 : std::size_t{3} << ((flags & 7) + 1);
}

// The end of a chain of sub-blocks, each with its length in front, closed by an empty one.
std::optional<std::size_t> end_of_blocks(FileBytes file, std::size_t at) {
    while (at < file.size()) {
        const std::size_t length = file[at];
        at += 1 + length;
        if (length == 0) return at;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Pieces> strip_gif(FileBytes file) {
    constexpr std::size_t header = 13;
    constexpr std::uint8_t extension = 0x21;
    constexpr std::uint8_t graphic_control = 0xF9;
    constexpr std::uint8_t image = 0x2C;
    if (file.size() < header || !text_of(file).starts_with("GIF8")) return std::nullopt;
    std::size_t at = header + colour_table_bytes(file[10]);
    if (at > file.size()) return std::nullopt;
    Pieces pieces;
    pieces.keep(file.first(at));
    while (at + 1 < file.size()) {
        const std::size_t start = at;
        if (file[at] == extension) {
            const bool kept = file[at + 1] == graphic_control;
            const auto end = end_of_blocks(file, at + 2);
            if (!end || *end > file.size()) return std::nullopt;
            if (kept) pieces.keep(file.subspan(start, *end - start));
            at = *end;
        } else if (file[at] == image) {
            if (at + 10 > file.size()) return std::nullopt;
            const std::size_t data = at + 10 + colour_table_bytes(file[at + 9]) + 1;
            const auto end = end_of_blocks(file, data);
            if (!end || *end > file.size()) return std::nullopt;
            pieces.keep(file.subspan(start, *end - start));
            pieces.add(";");
            return pieces;  // later frames are another picture's
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace tessera::codecs
