// Inside operations only: what the registry's list names.
#pragma once

#include <memory>

#include "operations/operation.hpp"

namespace tessera::operations {

std::unique_ptr<Operation> make_resize();
std::unique_ptr<Operation> make_optimize();
std::unique_ptr<Operation> make_tile();
std::unique_ptr<Operation> make_grid_render();
std::unique_ptr<Operation> make_tile_patch();

}  // namespace tessera::operations
