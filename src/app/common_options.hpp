// The options that every command takes, and the configuration that follows from them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/config/load.hpp"

namespace tessera::app {

struct CommonOptions {
    std::string config_file;
    std::vector<std::string> sets;         // key=value
    std::vector<Assignment> shorthands{};  // --data-dir, --listen, …

    // Throws CommandFailed with every problem found.
    [[nodiscard]] LoadedConfig load() const;
};

}  // namespace tessera::app
