// Turns and mirrors a picture that is decoded once from top to bottom, in a few strips of memory: its pixels go to
// a scratch file in blocks that are read back in their new order.
#pragma once

#include <filesystem>
#include <memory>

#include "imaging/pixels/row_source.hpp"
#include "imaging/pixels/turn.hpp"

namespace tessera::imaging {

// `inner` must have one plane: gray, rgb or rgba.
std::unique_ptr<RowSource> turned(std::unique_ptr<RowSource> inner, Turn turn, std::filesystem::path scratch);

}  // namespace tessera::imaging
