#include <algorithm>

#include "app/manual/completion.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view head = R"(# What fish completes after `tessera`; printed by `tessera completion fish`.

)";

constexpr std::string_view functions = R"(
# The command that the words before the cursor name, such as " admin key".
function __tessera_place
    set -l place ''
    set -l is_value no
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $is_value = yes
            set is_value no
        else if contains -- "$place $word" $__tessera_takers
            set is_value yes
        else if contains -- "$place $word" $__tessera_commands
            set place "$place $word"
        end
    end
    echo $place
end

function __tessera_at
    test (__tessera_place | string collect -a) = "$argv[1]"
end
)";

std::string single_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result + "'";
}

std::string at(const Command& command) {
    return "complete -c tessera -n " + single_quoted("__tessera_at " + single_quoted(place_of(command)));
}

std::string option_line(const Command& command, const Parameter& option) {
    std::string line = at(command);
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.names.back() == "--set") {
        line += " -x -a '(__tessera_settings)'";
    } else if (!option.values.empty()) {
        line += " -x -a " + single_quoted(joined(option.values));
    } else if (option.takes_value()) {
        line += " -r";
    }
    return line + " -d " + single_quoted(first_sentence(option.description)) + "\n";
}

std::string lines_of(const Command& command) {
    std::string text;
    for (const Command& inner : command.inner) {
        text += at(command) + " -f -a " + inner.path.back() + " -d " +
                single_quoted(first_sentence(inner.description)) + "\n";
    }
    for (const Parameter& argument : command.arguments) {
        if (!argument.values.empty()) text += at(command) + " -f -a " + single_quoted(joined(argument.values)) + "\n";
    }
    for (const Parameter& option : options_at(command)) text += option_line(command, option);
    return text;
}

std::string tables(const Command& program) {
    std::string commands = "set -g __tessera_commands";
    std::string takers = "set -g __tessera_takers";
    for (const Command* command : all_commands(program)) {
        const std::string place = place_of(*command);
        if (!place.empty()) commands += " " + single_quoted(place);
        for (const Parameter& option : options_at(*command)) {
            if (!option.takes_value()) continue;
            for (const std::string& name : option.names) takers += " " + single_quoted(place + " " + name);
        }
    }
    std::string settings = "\nfunction __tessera_settings\n    printf '%s\\n'";
    for (const SettingWords& setting : setting_words()) {
        settings += " " + setting.key + "=";
        for (const std::string& value : setting.values) settings += " " + setting.key + "=" + value;
    }
    return commands + "\n" + takers + "\n" + settings + "\nend\n";
}

}  // namespace

std::string fish_completion(const Command& program) {
    std::string text = std::string(head) + tables(program) + std::string(functions);
    for (const Command* command : all_commands(program)) text += lines_of(*command);
    return text;
}

}  // namespace tessera::app
