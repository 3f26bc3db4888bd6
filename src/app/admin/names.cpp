#include "app/admin/names.hpp"

#include <algorithm>

#include "app/command_failed.hpp"
#include "app/config/values.hpp"

namespace tessera::app {
namespace {

constexpr Millis longest_span = std::chrono::days(365 * 100);

}  // namespace

void require_slug(std::string_view text) {
    const auto letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const bool good = !text.empty() && text.size() <= 64 && letter_or_digit(text.front()) &&
                      letter_or_digit(text.back()) &&
                      std::all_of(text.begin(), text.end(), [&](char c) { return letter_or_digit(c) || c == '-'; });
    if (!good) {
        throw CommandFailed(ExitCode::usage, "--slug \"" + std::string(text) +
                                                 "\": expected 1 to 64 of a-z, 0-9 and -, with no - at either end");
    }
}

void require_display_name(std::string_view option, std::string_view text) {
    const bool control =
        std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (text.empty() || text.size() > 200 || control) {
        throw CommandFailed(ExitCode::usage, std::string(option) + ": expected 1 to 200 characters on one line");
    }
}

Uuid tileset_id(const std::string& text) {
    if (const auto id = Uuid::parse(text)) return *id;
    throw CommandFailed(ExitCode::usage, "\"" + text + "\" is no tileset id");
}

Timestamp require_time(std::string_view option, const std::string& text, Timestamp now, Span span) {
    if (const auto time = from_iso8601(text)) return *time;
    if (const auto day = from_iso8601(text + "T00:00:00Z")) return *day;
    const auto duration = parse_duration(text);
    if (duration && *duration > Millis(0) && *duration <= longest_span)
        return span == Span::ahead ? now + *duration : now - *duration;
    throw CommandFailed(ExitCode::usage,
                        std::string(option) + " \"" + text +
                            "\": expected a time such as 2027-01-31 or 2027-01-31T09:00:00Z, or a span "
                            "such as 90d or 12h");
}

}  // namespace tessera::app
