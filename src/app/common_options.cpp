#include "app/common_options.hpp"

#include "app/command_failed.hpp"
#include "app/config/load.hpp"

namespace tessera::app {

LoadedConfig CommonOptions::load() const {
    ConfigSources sources;
    if (!config_file.empty()) sources.file = config_file;
    sources.environment = current_environment();
    for (const std::string& set : sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw CommandFailed(ExitCode::usage,
                                "--set " + set + ": expected key=value, such as --set rate_limits.enabled=false");
        }
        sources.assignments.push_back({set.substr(0, equals), set.substr(equals + 1), "--set"});
    }
    sources.assignments.insert(sources.assignments.end(), shorthands.begin(), shorthands.end());

    LoadedConfig loaded = load_config(sources);
    if (loaded.problems.empty()) return loaded;
    std::string message = "the configuration can't be used:";
    for (const std::string& problem : loaded.problems) message += "\n  " + problem;
    throw CommandFailed(ExitCode::usage, message);
}

}  // namespace tessera::app
