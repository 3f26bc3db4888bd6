// The configuration in force, and the reference of all keys, for people and for programs.
#pragma once

#include <boost/json/array.hpp>
#include <string>

#include "app/config/load.hpp"

namespace tessera::app {

std::string config_as_text(const LoadedConfig& loaded);  // TOML that could be used as a file, with origins as comments
std::string config_as_json(const LoadedConfig& loaded);
// Every setting with all that the reference says of it, for operators.
boost::json::array config_as_list(const LoadedConfig& loaded);
// A file to begin with: every setting with what it means; those that were given stand as such, others as comments.
std::string config_template(const LoadedConfig& loaded);
std::string config_reference();  // the page docs/configuration.md

}  // namespace tessera::app
