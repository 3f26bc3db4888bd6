// What shells complete after `tessera`: commands, options and the values of those that take one of a few. Each script
// holds the whole command line as tables, so that a key press starts no program.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/manual/command.hpp"

namespace tessera::app {

std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

// For all three. A place is the words that name a command, as a script has them: " admin key", and "" for `tessera`.
std::string place_of(const Command& command);
std::vector<const Command*> all_commands(const Command& program);
std::vector<Parameter> options_at(const Command& command);  // those of the commands above, too

// What --set takes: every key, and for those of one of a few values these.
struct SettingWords {
    std::string key;
    std::vector<std::string> values;
};
std::vector<SettingWords> setting_words();

std::string joined(const std::vector<std::string>& words, std::string_view between = " ");
std::string first_sentence(std::string_view text);
std::string single_quoted(std::string_view text);  // for bash and zsh

}  // namespace tessera::app
