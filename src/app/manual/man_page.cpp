#include "app/manual/man_page.hpp"

#include <algorithm>
#include <string_view>

#include "app/manual/roff.hpp"

namespace tessera::app {
namespace {

constexpr std::size_t words_of_a_page = 3;  // tessera admin key

std::string page_name(const Command& command) {
    return command.words("-");
}

std::string term_of(const Parameter& parameter) {
    std::string term;
    for (const std::string& name : parameter.names) (term += term.empty() ? "" : ", ") += roff::bold(name);
    if (parameter.takes_value()) (term += term.empty() ? "" : " ") += roff::italic(parameter.placeholder);
    return term;
}

std::string sentence(std::string_view text) {
    std::string result = roff::prose(text);
    if (!result.ends_with('.')) result += '.';
    return result;
}

std::string entry_of(const Parameter& parameter) {
    std::string text = sentence(parameter.description);
    if (parameter.is_required) text += "\nRequired.";
    if (!parameter.default_text.empty()) text += "\nDefault: " + roff::bold(parameter.default_text) + ".";
    if (!parameter.environment.empty()) text += "\nAlso " + roff::bold(parameter.environment) + " in the environment.";
    return roff::entry(term_of(parameter), text);
}

std::string entries_of(const std::vector<Parameter>& parameters) {
    std::string text;
    for (const Parameter& parameter : parameters) text += entry_of(parameter);
    return text;
}

std::string synopsis_of(const Command& command) {
    std::string line = roff::bold(command.words());
    if (!command.options.empty()) line += " [" + roff::italic("OPTIONS") + "]";
    for (const Parameter& argument : command.arguments) {
        std::string word = roff::italic(argument.placeholder) + (argument.may_repeat ? " ..." : "");
        line += argument.is_required ? " " + word : " [" + word + "]";
    }
    if (!command.inner.empty()) line += " " + roff::italic("COMMAND");
    return line + "\n";
}

std::string reference(std::string_view page, int section = 1) {
    return roff::bold(page) + "(" + std::to_string(section) + ")";
}

std::string examples_of(const Command& command) {
    std::string text = ".nf\n";
    for (const std::string& line : command.examples) text += roff::example(line);
    return text + ".fi\n";
}

std::string notes_of(const Command& command) {
    std::string text;
    for (const std::string& line : command.notes) text += roff::prose(line) + "\n";
    return text;
}

// A command that has no page of its own, in that of its group.
std::string subsection_of(const Command& command) {
    std::string text =
        roff::section(command.words()) + sentence(command.description) + "\n.PP\n" + synopsis_of(command);
    text += entries_of(command.arguments) + entries_of(command.options);
    if (!command.notes.empty()) text += ".PP\n" + notes_of(command);
    if (!command.examples.empty()) text += ".PP\n" + examples_of(command);
    return text;
}

std::string list_of_inner(const Command& command, bool has_pages) {
    std::string text;
    for (const Command& inner : command.inner) {
        text += roff::entry(has_pages ? reference(page_name(inner)) : roff::bold(inner.path.back()),
                            sentence(inner.description));
    }
    return text;
}

std::string see_also(const Command& command, bool inner_has_pages) {
    std::vector<std::string> pages;
    if (command.path.size() > 1) pages.push_back(reference(command.path.front()));
    if (command.path.size() > 2) pages.push_back(reference(command.path[0] + "-" + command.path[1]));
    if (inner_has_pages) {
        for (const Command& inner : command.inner) pages.push_back(reference(page_name(inner)));
    }
    pages.push_back(reference("tessera.toml", 5));
    std::string text;
    for (const std::string& page : pages) (text += text.empty() ? "" : ",\n") += page;
    return text + "\n";
}

std::string page_text(const Command& command) {
    const bool inner_has_pages = command.path.size() < words_of_a_page;
    std::string text = roff::title(page_name(command), 1);
    std::string summary = command.description;
    if (summary.ends_with('.')) summary.pop_back();
    text += roff::section("name") + roff::escaped(page_name(command)) + " \\- " + roff::prose(summary) + "\n";
    text += roff::section("synopsis") + synopsis_of(command);
    text += roff::section("description") + sentence(command.description) + "\n";
    if (!command.notes.empty()) text += ".PP\n" + notes_of(command);
    if (!command.inner.empty()) text += roff::section("commands") + list_of_inner(command, inner_has_pages);
    if (!command.arguments.empty()) text += roff::section("arguments") + entries_of(command.arguments);
    if (!command.options.empty()) text += roff::section("options") + entries_of(command.options);
    if (!inner_has_pages) {
        for (const Command& inner : command.inner) text += subsection_of(inner);
    }
    if (!command.inherited.empty()) {
        text += roff::section("options of the commands above") + "They may stand anywhere on the line.\n" +
                entries_of(command.inherited);
    }
    if (!command.examples.empty()) text += roff::section("examples") + examples_of(command);
    return text + roff::section("see also") + see_also(command, inner_has_pages);
}

void add_pages(const Command& command, std::vector<ManPage>& pages) {
    pages.push_back({page_name(command) + ".1", page_text(command)});
    if (command.path.size() >= words_of_a_page) return;
    for (const Command& inner : command.inner) add_pages(inner, pages);
}

}  // namespace

std::vector<ManPage> command_pages(const Command& program) {
    std::vector<ManPage> pages;
    add_pages(program, pages);
    return pages;
}

}  // namespace tessera::app
