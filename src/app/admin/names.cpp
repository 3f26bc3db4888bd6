#include "app/admin/names.hpp"

#include <cctype>
#include <utility>

#include "app/command_failed.hpp"
#include "app/config/values.hpp"
#include "service/operators/account_acts.hpp"

namespace tessera::app {
namespace {

constexpr Millis longest_span = std::chrono::days(365 * 100);

}  // namespace

void require_display_name(std::string_view option, std::string_view text) {
    if (const auto good = service::check_display_name(option, text); !good)
        throw CommandFailed(ExitCode::usage, good.error().message);
}

CommandFailed refused(const Error& error) {
    if (error.code != ErrorCode::invalid_request) return CommandFailed(error);
    constexpr std::pair<std::string_view, std::string_view> options[] = {
        {"slug", "--slug"},          {"display_name", "--name"}, {"name", "--name"},      {"role_code", "--role"},
        {"expires_at", "--expires"}, {"networks", "--network"},  {"feature", "--feature"}};
    std::string message = error.message;
    for (const auto& [field, option] : options) {
        if (!message.starts_with(field) || std::isalpha(static_cast<unsigned char>(message[field.size()])) != 0 ||
            message[field.size()] == '_')
            continue;
        message.replace(0, field.size(), option);
        break;
    }
    return {ExitCode::usage, message};
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
