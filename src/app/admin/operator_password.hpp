// A password for an operator, as it is given to a command: typed twice at a terminal, unseen, or as the first line of
// standard input. Never on the command line, where other users of the machine could read it.
#pragma once

#include <string>

namespace tessera::app {

// Throws CommandFailed for one that is too short or too long, or that was typed in two ways.
std::string read_new_password(const std::string& name);

}  // namespace tessera::app
