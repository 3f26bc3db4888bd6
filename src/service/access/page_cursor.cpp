#include "service/access/page_cursor.hpp"

#include <charconv>
#include <cstdint>

namespace tessera::service {
namespace {

constexpr std::size_t cursor_length = 22;  // 16 bytes in base64url
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(const Uuid::Bytes& bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int held = 0;
    for (const std::uint8_t byte : bytes) {
        bits = bits << 8 | byte;
        for (held += 8; held >= 6; held -= 6) text += alphabet[bits >> (held - 6) & 63];
    }
    if (held > 0) text += alphabet[bits << (6 - held) & 63];
    return text;
}

std::optional<Uuid::Bytes> decode(std::string_view text) {
    if (text.size() != cursor_length) return std::nullopt;
    Uuid::Bytes bytes{};
    std::uint32_t bits = 0;
    int held = 0;
    std::size_t at = 0;
    for (const char c : text) {
        const std::size_t value = alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes[at++] = static_cast<std::uint8_t>(bits >> held);
    }
    // The bits that are left over are zero: a cursor has one spelling.
    if ((bits & ((1U << held) - 1)) != 0) return std::nullopt;
    return bytes;
}

Error invalid_cursor() {
    return Error{ErrorCode::invalid_request, "invalid cursor", {}}.with_hint(
        "use next_cursor as the page before gave it; leave it out for the first page");
}

}  // namespace

Result<metadata::Page> parse_page(const PageRequest& request) {
    metadata::Page page{std::nullopt, default_page};
    if (const std::string_view text = request.limit.value_or(""); !text.empty()) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), page.limit);
        if (error != std::errc() || end != text.data() + text.size() || page.limit < 1 || page.limit > largest_page) {
            return Error{ErrorCode::invalid_request,
                         "limit must be a whole number from 1 to " + std::to_string(largest_page),
                         {}};
        }
    }
    if (const std::string_view text = request.cursor.value_or(""); !text.empty()) {
        const auto bytes = decode(text);
        if (!bytes) return invalid_cursor();
        page.before = Uuid(*bytes);
    }
    return page;
}

std::optional<std::string> cursor_of(const std::optional<Uuid>& next) {
    if (!next) return std::nullopt;
    return encode(next->bytes());
}

}  // namespace tessera::service
