// The part of a public address that is the right to read: {expires}-{signature}, each in its only spelling.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "service/delivery/signing.hpp"

namespace tessera::service {

struct Grant {
    std::int64_t expires = 0;
    std::string_view signature;
};

inline std::optional<Grant> parse_grant(std::string_view text) {
    const std::size_t line = text.find('-');
    if (line == std::string_view::npos) return std::nullopt;
    const auto expires = parse_expires(text.substr(0, line));
    if (!expires) return std::nullopt;
    return Grant{*expires, text.substr(line + 1)};
}

}  // namespace tessera::service
