// `tessera health`: asks a node of this machine whether it is ready, for whoever has to know by an exit code.
#pragma once

#include <CLI/App.hpp>

namespace tessera::app {

struct CommonOptions;

void add_health_command(CLI::App& app, const CommonOptions& options);

}  // namespace tessera::app
