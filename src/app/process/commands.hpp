// `tessera process`: the work of the service on local files, without the service.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "operations/operation.hpp"

namespace tessera::operations {
class Registry;
}

namespace tessera::app {

// `exit_code` becomes that of the command that runs. The operations outlive the commands.
void add_process_commands(CLI::App& app, const operations::Registry& operations, int& exit_code);

// One for every operation.
void add_operation_commands(CLI::App& process, const operations::Registry& operations, int& exit_code);
void add_probe_command(CLI::App& process, int& exit_code);
void add_compare_command(CLI::App& process, int& exit_code);

// The command lines that this --help shows of them all.
std::vector<std::string> operation_examples(const operations::Registry& operations, operations::HelpOf help);

}  // namespace tessera::app
