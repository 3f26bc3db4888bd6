// The engines of a command: one for headers and one for work, with all of this machine's cores.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/host/pool.hpp"

namespace tessera::app {

// Throws CommandFailed.
std::unique_ptr<engine::Pool> start_local_engine(const std::filesystem::path& scratch);

}  // namespace tessera::app
