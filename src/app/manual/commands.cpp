#include "app/manual/commands.hpp"

#include <CLI/App.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/fixed_values.hpp"
#include "app/manual/completion.hpp"
#include "app/manual/man_page.hpp"

namespace tessera::app {
namespace {

struct Shell {
    std::string_view name;
    std::string (*script)(const Command&);
};
constexpr Shell shells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

std::vector<std::string> shell_names() {
    std::vector<std::string> names;
    for (const Shell& shell : shells) names.emplace_back(shell.name);
    return names;
}

std::string completion_for(std::string_view name, const CLI::App& app) {
    for (const Shell& shell : shells) {
        if (shell.name == name) return shell.script(read_command(app));
    }
    throw CommandFailed(ExitCode::usage, "there is no completion for \"" + std::string(name) + "\", but for " +
                                             joined(shell_names(), ", "));
}

void write_pages(const std::filesystem::path& folder, const CLI::App& app) {
    std::vector<ManPage> pages = command_pages(read_command(app));
    pages.push_back(settings_page());
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const ManPage& page : pages) {
        std::ofstream file(folder / page.file, std::ios::binary);
        file << page.text;
        file.close();
        if (!file) throw CommandFailed(ExitCode::failed, (folder / page.file).string() + ": can't be written");
    }
}

}  // namespace

void add_manual_commands(CLI::App& app) {
    CLI::App* completion = app.add_subcommand("completion", "Print what a shell needs to complete this command line");
    auto shell = std::make_shared<std::string>();
    takes_one_of(completion->add_option("SHELL", *shell, "bash, zsh or fish")->required(), shell_names());
    completion->callback([&app, shell] { std::cout << completion_for(*shell, app); });
    add_examples(completion, {"tessera completion bash > completion.sh   # then: source completion.sh",
                              "tessera completion zsh > _tessera         # in a folder of $fpath",
                              "tessera completion fish > tessera.fish    # in ~/.config/fish/completions"});

    CLI::App* manual = app.add_subcommand("manual", "Write the manual pages into a folder");
    auto folder = std::make_shared<std::string>();
    manual->add_option("FOLDER", *folder, "Where to; made if it is not there")->required();
    manual->callback([&app, folder] { write_pages(*folder, app); });
    add_examples(manual, {"tessera manual pages                      # then: man -l pages/tessera-serve.1"});
}

}  // namespace tessera::app
