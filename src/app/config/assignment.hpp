// One setting given on the command line.
#pragma once

#include <string>

namespace tessera::app {

struct Assignment {
    std::string key;
    std::string value;
    std::string origin;  // "--set", "--listen"
};

}  // namespace tessera::app
