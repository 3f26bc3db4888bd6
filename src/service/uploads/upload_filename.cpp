#include <algorithm>
#include <cstddef>

#include "service/uploads/upload.hpp"

namespace tessera::service {

namespace {

constexpr std::size_t max_bytes = 255;
constexpr std::size_t max_extension = 16;
constexpr char32_t replacement = 0xfffd;

// Takes one code point off the front; the replacement character for bytes that are not UTF-8.
char32_t take_code_point(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    std::size_t length = 1;
    char32_t code = lead;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
        code = lead & 0x1fU;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        code = lead & 0x0fU;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        code = lead & 0x07U;
    } else if (lead >= 0x80) {
        text.remove_prefix(1);
        return replacement;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (i >= text.size() || (byte(i) & 0xc0U) != 0x80) {
            text.remove_prefix(i);
            return replacement;
        }
        code = code << 6 | (byte(i) & 0x3fU);
    }
    text.remove_prefix(length);
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return replacement;
    return code;
}

void append_utf8(std::string& out, char32_t code) {
    const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6);
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

// Control characters, and those that reorder or hide the text around them.
bool is_unwanted(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
}

std::string shortened(std::string name) {
    if (name.size() <= max_bytes) return name;
    const auto dot = name.rfind('.');
    const std::string extension =
        dot != std::string::npos && dot > 0 && name.size() - dot <= max_extension ? name.substr(dot) : std::string();
    std::size_t keep = max_bytes - extension.size();
    while (keep > 0 && is_continuation(name[keep])) --keep;
    return name.substr(0, keep) + extension;
}

}  // namespace

std::string safe_filename(std::string_view filename) {
    const auto folder_end = filename.find_last_of("/\\");
    if (folder_end != std::string_view::npos) filename.remove_prefix(folder_end + 1);
    // However long it is, what can't be kept need not be read; the end of it holds the extension.
    if (filename.size() > 4096) filename.remove_prefix(filename.size() - 4096);

    std::string name;
    while (!filename.empty()) {
        const char32_t code = take_code_point(filename);
        if (!is_unwanted(code)) append_utf8(name, code);
    }
    const auto first = name.find_first_not_of(' ');
    const auto last = name.find_last_not_of(' ');
    if (first == std::string::npos) return "upload";
    name = name.substr(first, last - first + 1);
    if (std::ranges::all_of(name, [](char c) { return c == '.'; })) return "upload";
    return shortened(std::move(name));
}

}  // namespace tessera::service
