// `tessera tiles`: look at an archive of tiles without a service.
#pragma once

#include <CLI/App.hpp>

namespace tessera::app {

// `exit_code` becomes that of the command that runs.
void add_tiles_commands(CLI::App& app, int& exit_code);

}  // namespace tessera::app
