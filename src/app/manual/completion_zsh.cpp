#include "app/manual/completion.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view head = R"(#compdef tessera
# What zsh completes after `tessera`; printed by `tessera completion zsh`. In a folder of $fpath it is named _tessera.

)";

constexpr std::string_view body = R"(
_tessera() {
    local place= word last=${words[CURRENT-1]} i
    local -a commands flags takers values names
    _tessera_at ''
    for ((i = 2; i < CURRENT; ++i)); do
        word=${words[i]}
        if (( ${takers[(I)$word:*]} )); then
            ((++i))
        elif (( ${commands[(I)$word:*]} )); then
            place+=" $word"
            _tessera_at $place
        fi
    done

    if [[ $PREFIX == --*=* ]]; then
        last=${PREFIX%%=*}
        compset -P 1 '*='
    fi
    if [[ $last == --set ]]; then
        if compset -P 1 '*='; then
            _tessera_setting ${IPREFIX%=}
            compadd -a values
        else
            compadd -S = -a _tessera_settings
        fi
    elif (( ${takers[(I)$last:*]} )); then
        _tessera_values "$place $last"
        if (( $#values )); then compadd -a values; else _files; fi
    elif [[ $PREFIX == -* ]]; then
        _describe -o option flags -- takers
    elif (( $#commands )); then
        _describe command commands
    else
        _tessera_values $place
        if (( $#values )); then compadd -a values; else _files; fi
    fi
}

if [[ ${funcstack[1]} == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi
)";

// "--fit:How the picture meets the box", as _describe takes it.
std::string described(std::string_view name, std::string_view description) {
    std::string text = first_sentence(description);
    std::string safe;
    for (const char c : text) safe += c == ':' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return single_quoted(std::string(name) + ":" + safe);
}

std::string described_options(const std::vector<Parameter>& options, bool takes_value) {
    std::vector<std::string> words;
    for (const Parameter& option : options) {
        if (option.takes_value() != takes_value) continue;
        for (const std::string& name : option.names) words.push_back(described(name, option.description));
    }
    return joined(words);
}

std::string commands_table(const Command& program) {
    std::string text = "_tessera_at() {\n    case $1 in\n";
    for (const Command* command : all_commands(program)) {
        std::vector<std::string> inner;
        for (const Command& one : command->inner) inner.push_back(described(one.path.back(), one.description));
        const std::vector<Parameter> options = options_at(*command);
        text += "        (" + single_quoted(place_of(*command)) + ")\n            commands=(" + joined(inner) +
                ")\n            flags=(" + described_options(options, false) + ")\n            takers=(" +
                described_options(options, true) + ") ;;\n";
    }
    return text + "    esac\n}\n";
}

std::string values_table(const Command& program) {
    std::string text = "\n_tessera_values() {\n    values=()\n    case $1 in\n";
    const auto add = [&](const std::string& place, const Parameter& parameter) {
        if (parameter.values.empty()) return;
        text += "        (" + single_quoted(place) + ") values=(" + joined(parameter.values) + ") ;;\n";
    };
    for (const Command* command : all_commands(program)) {
        for (const Parameter& argument : command->arguments) add(place_of(*command), argument);
        for (const Parameter& option : options_at(*command))
            add(place_of(*command) + " " + option.names.back(), option);
    }
    return text + "    esac\n}\n";
}

std::string settings_table() {
    std::vector<std::string> keys;
    std::string text = "\n_tessera_setting() {\n    values=()\n    case $1 in\n";
    for (const SettingWords& setting : setting_words()) {
        keys.push_back(setting.key);
        if (!setting.values.empty())
            text += "        (" + setting.key + ") values=(" + joined(setting.values) + ") ;;\n";
    }
    return "\ntypeset -ga _tessera_settings=(" + joined(keys) + ")\n" + text + "    esac\n}\n";
}

}  // namespace

std::string zsh_completion(const Command& program) {
    return std::string(head) + commands_table(program) + values_table(program) + settings_table() + std::string(body);
}

}  // namespace tessera::app
