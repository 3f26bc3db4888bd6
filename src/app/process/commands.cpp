#include "app/process/commands.hpp"
#include "app/examples.hpp"

namespace tessera::app {

void add_process_commands(CLI::App& app, const operations::Registry& operations, int& exit_code) {
    CLI::App* process =
        app.add_subcommand("process", "Work on local files, without the service")->require_subcommand(1);
    add_operation_commands(*process, operations, exit_code);
    add_probe_command(*process, exit_code);
    add_compare_command(*process, exit_code);
    std::vector<std::string> examples = operation_examples(operations, operations::HelpOf::process);
    examples.emplace_back("tessera process probe photo.jpg");
    examples.emplace_back("tessera process compare original.png copy.jpg");
    add_examples(process, examples);
}

}  // namespace tessera::app
