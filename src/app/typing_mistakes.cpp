#include "app/typing_mistakes.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "app/config/values.hpp"

namespace tessera::app {
namespace {

std::vector<CLI::App*> commands_of(CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    const auto near = closest(word, {known.begin(), known.end()});
    return near ? "; did you mean " + std::string(*near) + "?" : "";
}

std::string unknown_command(CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
    return "there is no command \"" + word + "\"" + did_you_mean(word, names);
}

// Options of the commands above may be given, too.
const CLI::Option* find_option(const CLI::App* command, const std::string& name) {
    for (; command != nullptr; command = command->get_parent()) {
        if (const CLI::Option* found = command->get_option_no_throw(name)) return found;
    }
    return nullptr;
}

std::string unknown_option(const CLI::App* command, const std::string& name) {
    std::vector<std::string> names;
    for (const CLI::App* one = command; one != nullptr; one = one->get_parent()) {
        for (const CLI::Option* option : one->get_options()) {
            for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
        }
    }
    const std::string where = command->get_parent() == nullptr ? "" : " of `" + command->get_name() + "`";
    return "there is no option " + name + where + did_you_mean(name, names);
}

}  // namespace

std::optional<std::string> typing_mistake(CLI::App& app, std::span<char* const> words) {
    CLI::App* current = &app;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i];
        if (word == "--") return std::nullopt;
        if (word.starts_with('-') && word.size() > 1) {
            const std::string name = word.substr(0, word.find('='));
            const CLI::Option* option = find_option(current, name);
            if (option == nullptr) return unknown_option(current, name);
            if (option->get_expected_max() > 0 && name == word) ++i;  // its value is the next word
            continue;
        }
        const auto inner = commands_of(*current);
        if (inner.empty()) continue;
        const auto found = std::ranges::find_if(inner, [&](const CLI::App* a) { return a->get_name() == word; });
        if (found == inner.end()) return unknown_command(*current, word);
        current = *found;
    }
    return std::nullopt;
}

}  // namespace tessera::app
