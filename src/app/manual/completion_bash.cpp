#include <algorithm>

#include "app/manual/completion.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view head = R"(# What bash completes after `tessera`; printed by `tessera completion bash`.
#   source <(tessera completion bash)

)";

// bash splits at "=": `--fit=co` arrives as three words, as `--set log.level=de` does.
constexpr std::string_view body = R"(
_tessera() {
    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} key= place= i
    local commands= flags= takers= values=
    COMPREPLY=()
    _tessera_at ''
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if [[ " $takers " == *" ${COMP_WORDS[i]} "* ]]; then
            ((++i))
            [[ ${COMP_WORDS[i]} != '=' ]] || ((++i))
        elif [[ " $commands " == *" ${COMP_WORDS[i]} "* ]]; then
            place+=" ${COMP_WORDS[i]}"
            _tessera_at "$place"
        fi
    done

    if [[ $word == '=' ]]; then
        word=
    elif [[ $last == '=' ]]; then
        last=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = COMP_CWORD - 1; i > 1 && i > COMP_CWORD - 4; --i)); do
        [[ ${COMP_WORDS[i]} != '=' || ${COMP_WORDS[i - 2]} != --set ]] || key=${COMP_WORDS[i - 1]}
    done
    if [[ -n $key ]]; then
        _tessera_setting "$key"
    elif [[ $last == --set ]]; then
        values=$_tessera_settings
        compopt -o nospace
    elif [[ " $takers " == *" $last "* ]]; then
        _tessera_values "$place $last"
    elif [[ $word == -* ]]; then
        values="$flags $takers"
    else
        _tessera_values "$place"
        values="$commands $values"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
}

complete -o default -o nosort -F _tessera tessera
)";

std::string names_of(const std::vector<Parameter>& options, bool takes_value) {
    std::vector<std::string> names;
    for (const Parameter& option : options) {
        if (option.takes_value() == takes_value) names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return joined(names);
}

std::string names_of_inner(const Command& command) {
    std::vector<std::string> names;
    for (const Command& inner : command.inner) names.push_back(inner.path.back());
    return joined(names);
}

std::string commands_table(const Command& program) {
    std::string text = "_tessera_at() {\n    case $1 in\n";
    for (const Command* command : all_commands(program)) {
        const std::vector<Parameter> options = options_at(*command);
        text += "        " + single_quoted(place_of(*command)) +
                ") commands=" + single_quoted(names_of_inner(*command)) +
                " flags=" + single_quoted(names_of(options, false)) +
                " takers=" + single_quoted(names_of(options, true)) + " ;;\n";
    }
    return text + "    esac\n}\n";
}

std::string values_table(const Command& program) {
    std::string text = "\n_tessera_values() {\n    case $1 in\n";
    const auto add = [&](const std::string& place, const Parameter& parameter) {
        if (parameter.values.empty()) return;
        text += "        " + single_quoted(place) + ") values=" + single_quoted(joined(parameter.values)) + " ;;\n";
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
    std::string text = "\n_tessera_setting() {\n    case $1 in\n";
    for (const SettingWords& setting : setting_words()) {
        keys.push_back(setting.key + "=");
        if (setting.values.empty()) continue;
        text += "        " + setting.key + ") values=" + single_quoted(joined(setting.values)) + " ;;\n";
    }
    return "\n_tessera_settings=" + single_quoted(joined(keys)) + "\n" + text + "    esac\n}\n";
}

}  // namespace

std::string bash_completion(const Command& program) {
    return std::string(head) + commands_table(program) + values_table(program) + settings_table() + std::string(body);
}

}  // namespace tessera::app
