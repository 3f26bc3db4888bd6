// The command line as values: what manual pages and shell completions are made of. Read from the tables that parse it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tessera::app {

// An option, or where it has no names, an argument that is known by its place.
struct Parameter {
    std::vector<std::string> names;  // --width, -r
    std::string placeholder;         // TEXT; FILE for an argument; empty for a flag
    std::string description;
    std::string default_text;
    std::string environment;          // the variable that says the same
    std::vector<std::string> values;  // the few that it takes
    bool is_required = false;
    bool may_repeat = false;

    [[nodiscard]] bool takes_value() const { return !placeholder.empty(); }
};

struct Command {
    std::vector<std::string> path;  // tessera, admin, key
    std::string description;
    std::vector<Parameter> options;
    std::vector<Parameter> arguments;
    std::vector<Parameter> inherited;   // options of the commands above, which may stand anywhere
    std::vector<std::string> examples;  // each as it is typed, perhaps with a note after a #
    std::vector<std::string> notes;     // lines that --help ends with
    std::vector<Command> inner;

    [[nodiscard]] std::string words(std::string_view between = " ") const;
};

Command read_command(const CLI::App& app);

}  // namespace tessera::app
