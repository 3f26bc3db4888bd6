// TOML text to a table. Include it in .cpp files only: toml++ is large.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "app/trouble.hpp"
#include "core/result.hpp"

namespace tessera::app {

// An error names the source and the line.
inline Result<toml::table> parse_toml(std::string_view text, const std::string& source) {
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        return trouble(source + ":" + std::to_string(error.source().begin.line) +
                       ": not TOML: " + std::string(error.description()));
    }
}

}  // namespace tessera::app
