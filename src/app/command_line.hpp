// The command line of `tessera`.
#pragma once

namespace tessera::app {

// Runs the command that the arguments name and returns the exit code.
int run_command_line(int argc, char** argv);

}  // namespace tessera::app
