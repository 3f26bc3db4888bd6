// Plans as they are written in a TOML file, and the ones that are built in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plan.hpp"
#include "core/result.hpp"

namespace tessera::app {

// An error names the file, the plan, the key and what was expected.
Result<std::vector<Plan>> parse_plans(std::string_view toml, std::string_view source_name);
Result<std::vector<Plan>> read_plans_file(const std::string& path);
std::string_view built_in_plans_toml();
std::vector<Plan> built_in_plans();

}  // namespace tessera::app
