#include "app/admin/names.hpp"

#include <algorithm>

#include "app/command_failed.hpp"

namespace tessera::app {

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

}  // namespace tessera::app
