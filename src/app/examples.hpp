// Examples at the end of a command's --help. A test runs every line as it stands, in a folder that holds the files and
// the accounts that they name; what is only a note comes after a #.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::app {

inline void add_examples(CLI::App* command, const std::vector<std::string>& lines, std::string_view more_to_say = {}) {
    std::string text = "Examples:\n";
    for (const std::string& line : lines) text += "  " + line + "\n";
    if (!more_to_say.empty()) text += "\n" + std::string(more_to_say) + "\n";
    text.pop_back();
    command->footer(text);
}

}  // namespace tessera::app
