// A file of /proc as text: these have no size to go by.
#pragma once

#include <string>

namespace tessera::engine {

std::string read_proc_file(const std::string& path);  // empty when it can't be read

}  // namespace tessera::engine
