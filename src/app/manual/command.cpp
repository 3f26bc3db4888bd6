#include "app/manual/command.hpp"

#include <CLI/App.hpp>
#include <sstream>
#include <string_view>

#include "app/fixed_values.hpp"

namespace tessera::app {
namespace {

Parameter read_parameter(const CLI::Option& option) {
    Parameter parameter;
    for (const std::string& name : option.get_snames()) parameter.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) parameter.names.push_back("--" + name);
    const bool is_argument = parameter.names.empty();
    if (is_argument) {
        parameter.placeholder = option.get_name(true);
    } else if (option.get_expected_max() > 0) {
        parameter.placeholder = option.get_type_name().empty() ? "TEXT" : option.get_type_name();
    }
    parameter.description = option.get_description();
    if (parameter.takes_value()) parameter.default_text = option.get_default_str();
    parameter.environment = option.get_envname();
    parameter.values = fixed_values(option);
    parameter.is_required = option.get_required();
    parameter.may_repeat = option.get_items_expected_max() > 1;
    return parameter;
}

// add_examples() wrote them: "Examples:", the lines, and after an empty one what else there is to say.
void read_footer(const std::string& footer, Command& command) {
    std::istringstream lines(footer);
    bool in_examples = false;
    for (std::string line; std::getline(lines, line);) {
        if (line == "Examples:") {
            in_examples = true;
        } else if (line.empty()) {
            in_examples = false;
        } else if (in_examples) {
            command.examples.push_back(line.substr(line.find_first_not_of(' ')));
        } else {
            command.notes.push_back(line);
        }
    }
}

Command read_below(const CLI::App& app, std::vector<std::string> path, std::vector<Parameter> inherited) {
    Command command;
    command.path = std::move(path);
    command.description = app.get_description();
    command.inherited = std::move(inherited);
    for (const CLI::Option* option : app.get_options()) {
        Parameter parameter = read_parameter(*option);
        (parameter.names.empty() ? command.arguments : command.options).push_back(std::move(parameter));
    }
    read_footer(app.get_footer(), command);

    std::vector<Parameter> handed_down = command.inherited;
    for (const Parameter& option : command.options) {
        const bool is_of_each = option.names.back() == "--help" || option.names.back() == "--version";
        if (!is_of_each) handed_down.push_back(option);
    }
    for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; })) {
        std::vector<std::string> below = command.path;
        below.push_back(inner->get_name());
        command.inner.push_back(read_below(*inner, std::move(below), handed_down));
    }
    return command;
}

}  // namespace

std::string Command::words(std::string_view between) const {
    std::string text;
    for (const std::string& word : path) (text += text.empty() ? "" : between) += word;
    return text;
}

Command read_command(const CLI::App& app) {
    return read_below(app, {app.get_name()}, {});
}

}  // namespace tessera::app
