#include "http/message/header_lines.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace tessera::http {
namespace {

constexpr std::array<std::string_view, 6> single_values{"Authorization",   "X-API-Key", "Content-Type",
                                                        "Idempotency-Key", "Range",     "If-Range"};

}  // namespace

std::optional<std::string_view> ListFromEnd::next() {
    for (;;) {
        while (!rest_.empty()) {
            const std::size_t comma = rest_.rfind(',');
            const bool is_first = comma == std::string_view::npos;
            const std::string_view item = trimmed(is_first ? rest_ : rest_.substr(comma + 1));
            rest_ = is_first ? std::string_view() : rest_.substr(0, comma);
            if (!item.empty()) return item;
        }
        while (!lines_.empty() && !equal_ignoring_case(lines_.back().name, name_))
            lines_ = lines_.first(lines_.size() - 1);
        if (lines_.empty()) return std::nullopt;
        rest_ = lines_.back().value;
        lines_ = lines_.first(lines_.size() - 1);
    }
}

bool has_single_value(std::string_view name) {
    return std::ranges::any_of(single_values,
                               [&](std::string_view single) { return equal_ignoring_case(single, name); });
}

}  // namespace tessera::http
