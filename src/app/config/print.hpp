// The configuration in force, and the reference of all keys, for people and for programs.
#pragma once

#include <string>

#include "app/config/load.hpp"

namespace tessera::app {

std::string config_as_text(const LoadedConfig& loaded);  // TOML that could be used as a file, with origins as comments
std::string config_as_json(const LoadedConfig& loaded);
std::string config_reference();  // the page docs/configuration.md

}  // namespace tessera::app
