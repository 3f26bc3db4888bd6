// `tessera process`: the work of the service on local files, without the service.
#pragma once

#include <CLI/App.hpp>

namespace tessera::app {

// `exit_code` becomes that of the command that runs.
void add_process_commands(CLI::App& app, int& exit_code);

// One for every operation.
void add_operation_commands(CLI::App& process, int& exit_code);
void add_probe_command(CLI::App& process, int& exit_code);

}  // namespace tessera::app
