// What names given to accounts and keys may be, and ids as they are typed.
#pragma once

#include <string>
#include <string_view>

#include "app/command_failed.hpp"
#include "core/clock.hpp"
#include "core/uuid.hpp"

namespace tessera::app {

// Each throws CommandFailed that names the option and what was expected.
void require_display_name(std::string_view option, std::string_view text);  // 1 to 200 characters, none of them control
Uuid tileset_id(const std::string& text);
// A moment: 2027-01-31, 2027-01-31T09:00:00Z, or a span such as 90d that is counted from `now`, `ahead` or back.
enum class Span { ahead, back };
Timestamp require_time(std::string_view option, const std::string& text, Timestamp now, Span span);

// How an act of service/operators was refused, in the words of the command line: fields are options there.
CommandFailed refused(const Error& error);
// What the act gave, or the end of the command.
template <typename T>
T done(Result<T> result) {
    if (!result) throw refused(result.error());
    return std::move(result).value();
}

}  // namespace tessera::app
