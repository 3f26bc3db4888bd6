// Puts a configuration together from a file, the environment and the command line, in rising order of precedence,
// and remembers where each value came from. All problems are reported at once, each naming its key.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/config/assignment.hpp"
#include "app/config/config.hpp"

namespace tessera::app {

struct ConfigSources {
    std::optional<std::string> file{};
    std::vector<std::pair<std::string, std::string>> environment{};  // all of it; what is not ours is passed over
    std::vector<Assignment> assignments{};                           // later ones win
};

struct LoadedConfig {
    Config config;
    std::map<std::string, std::string, std::less<>> origins;  // key → where its value came from; defaults are absent
    std::vector<std::string> problems;                        // empty: the configuration may be used
    std::vector<std::string> raised;                          // what is in force although something lower was asked for
};

LoadedConfig load_config(const ConfigSources& sources);

// This process's environment.
std::vector<std::pair<std::string, std::string>> current_environment();

}  // namespace tessera::app
