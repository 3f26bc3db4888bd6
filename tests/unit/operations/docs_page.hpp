// docs/operations.md against the option tables that it shows.
#pragma once

#include <string>
#include <vector>

#include "operations/registry.hpp"

namespace tessera::operations {

// The page with the option tables of all operations in the places that it has for them.
std::string with_option_tables(std::string page, const Registry& registry);

// The operations that the page has no place for.
std::vector<std::string> operations_missing_in(const std::string& page, const Registry& registry);

}  // namespace tessera::operations
