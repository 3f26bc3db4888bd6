#include "app/process/commands.hpp"

namespace tessera::app {

void add_process_commands(CLI::App& app, int& exit_code) {
    CLI::App* process =
        app.add_subcommand("process", "Work on local files, without the service")->require_subcommand(1);
    add_operation_commands(*process, exit_code);
    add_probe_command(*process, exit_code);
}

}  // namespace tessera::app
