// `tessera serve`: puts the service together and runs it until a signal ends it.
#pragma once

#include <string>

namespace tessera::app {

struct LoadedConfig;

struct ServeOptions {
    bool demo = false;
    bool public_demo = false;                     // other machines may connect all the same
    std::string admin_command = "tessera admin";  // for the hints that are shown
};

// Returns the exit code; what prevents the start is thrown as CommandFailed.
int serve(const LoadedConfig& loaded, const ServeOptions& options);

}  // namespace tessera::app
