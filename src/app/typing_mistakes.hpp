// What is wrong with a command line that can't be parsed, said better than a parser can: the command or the option that
// was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace tessera::app {

// About the first word that is neither a command nor an option of the command it is given to; nothing where all are.
// `words` are those after the program's name.
std::optional<std::string> typing_mistake(CLI::App& app, std::span<char* const> words);

}  // namespace tessera::app
