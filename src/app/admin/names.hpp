// What names given to accounts and keys may be, and ids as they are typed.
#pragma once

#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/uuid.hpp"

namespace tessera::app {

// Each throws CommandFailed that names the option and what was expected.
void require_slug(std::string_view text);                                   // a-z, 0-9 and -, 1 to 64
void require_display_name(std::string_view option, std::string_view text);  // 1 to 200 characters, none of them control
Uuid tileset_id(const std::string& text);
// A moment: 2027-01-31, 2027-01-31T09:00:00Z, or a span such as 90d that is counted from `now`, `ahead` or back.
enum class Span { ahead, back };
Timestamp require_time(std::string_view option, const std::string& text, Timestamp now, Span span);

}  // namespace tessera::app
