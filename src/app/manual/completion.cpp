#include "app/manual/completion.hpp"

#include <CLI/StringTools.hpp>

#include "app/config/setting.hpp"

namespace tessera::app {
namespace {

void collect(const Command& command, std::vector<const Command*>& all) {
    all.push_back(&command);
    for (const Command& inner : command.inner) collect(inner, all);
}

// The table of settings says it in words: "true or false", "one of debug, info, warning, error".
std::vector<std::string> values_of(const Setting& setting) {
    constexpr std::string_view one_of = "one of ";
    if (setting.expected() == "true or false") return {"true", "false"};
    if (!setting.expected().starts_with(one_of)) return {};
    std::vector<std::string> values = CLI::detail::split(setting.expected().substr(one_of.size()), ',');
    for (std::string& value : values) CLI::detail::trim(value);
    return values;
}

}  // namespace

std::string place_of(const Command& command) {
    std::string place;
    for (std::size_t i = 1; i < command.path.size(); ++i) place += " " + command.path[i];
    return place;
}

std::vector<const Command*> all_commands(const Command& program) {
    std::vector<const Command*> all;
    collect(program, all);
    return all;
}

std::vector<Parameter> options_at(const Command& command) {
    std::vector<Parameter> options = command.options;
    options.insert(options.end(), command.inherited.begin(), command.inherited.end());
    return options;
}

std::vector<SettingWords> setting_words() {
    std::vector<SettingWords> words;
    for (const Setting& setting : all_settings()) words.push_back({std::string(setting.name()), values_of(setting)});
    return words;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) (text += text.empty() ? "" : between) += word;
    return text;
}

std::string first_sentence(std::string_view text) {
    return std::string(text.substr(0, text.find(". ")));
}

std::string single_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace tessera::app
