#include "http/message/content_disposition.hpp"

namespace tessera::http {
namespace {

bool is_plain(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

}  // namespace

std::string content_disposition(std::string_view filename) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string ascii;
    std::string encoded;
    for (const char c : filename) {
        const auto byte = static_cast<unsigned char>(c);
        const bool quotable = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '/' && c != '%';
        ascii += quotable ? c : '_';
        if (is_plain(byte)) {
            encoded += c;
        } else {
            encoded += '%';
            encoded += digits[byte >> 4];
            encoded += digits[byte & 15];
        }
    }
    if (ascii.empty()) return "attachment";
    return "attachment; filename=\"" + ascii + "\"; filename*=UTF-8''" + encoded;
}

}  // namespace tessera::http
