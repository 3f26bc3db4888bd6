// Options that take one of a few words: --help shows these as a|b|c, manual pages and shell completions list them.
#pragma once

#include <CLI/Option.hpp>
#include <string>
#include <vector>

namespace tessera::app {

template <typename Words>
void takes_one_of(CLI::Option* option, const Words& words) {
    std::string text;
    for (const auto& word : words) (text += text.empty() ? "" : "|") += word;
    option->type_name(text);
}

// Empty where it takes more than a few.
inline std::vector<std::string> fixed_values(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    if (type == "BOOLEAN") return {"true", "false"};
    if (type.find('|') == std::string::npos) return {};
    return CLI::detail::split(type, '|');
}

}  // namespace tessera::app
