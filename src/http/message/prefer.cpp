#include "http/message/prefer.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tessera::http {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Up to the next such character that no quotes enclose; `rest` begins behind it.
std::string_view cut_at(std::string_view& rest, char separator) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < rest.size() && (quoted || rest[end] != separator); ++end) {
        if (rest[end] == '"') quoted = !quoted;
        if (quoted && rest[end] == '\\') ++end;
    }
    end = std::min(end, rest.size());
    const std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return trimmed(piece);
}

std::optional<std::chrono::seconds> seconds_of(std::string_view value) {
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    std::uint64_t number = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || end != value.data() + value.size()) return std::nullopt;
    const auto most = static_cast<std::uint64_t>(longest_preferred_wait.count());
    if (fault == std::errc::result_out_of_range) number = most;
    return std::chrono::seconds(std::min(number, most));
}

// The value of the first preference of that name; empty where it has none.
std::optional<std::string_view> find_preference(const Request& request, std::string_view name) {
    for (const HeaderView& header : request.headers) {
        if (!equal_ignoring_case(header.name, "Prefer")) continue;
        for (std::string_view rest = header.value; !rest.empty();) {
            std::string_view preference = cut_at(rest, ',');
            std::string_view value = cut_at(preference, ';');  // parameters say nothing to us
            if (equal_ignoring_case(cut_at(value, '='), name)) return trimmed(value);
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::chrono::seconds> preferred_wait(const Request& request) {
    const auto value = find_preference(request, "wait");
    return value ? seconds_of(*value) : std::nullopt;
}

bool prefers_timing(const Request& request) {
    return find_preference(request, "server-timing").has_value();
}

std::string wait_applied(std::chrono::seconds wait) {
    return "wait=" + std::to_string(wait.count());
}

}  // namespace tessera::http
