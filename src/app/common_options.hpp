// The options that every command takes, and the configuration that follows from them.
#pragma once

#include <string>
#include <vector>

#include "app/config/assignment.hpp"

namespace tessera::app {

struct LoadedConfig;

struct CommonOptions {
    std::string config_file;
    std::vector<std::string> sets;         // key=value
    std::vector<Assignment> shorthands{};  // --data-dir, --listen, …

    // Throws CommandFailed with every problem found.
    [[nodiscard]] LoadedConfig load() const;
};

}  // namespace tessera::app
