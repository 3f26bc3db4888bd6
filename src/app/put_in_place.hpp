// A file that is whole when it appears under its name.
#pragma once

#include <filesystem>

namespace tessera::app {

// Renames `made`, which must lie in the same file system, over `to`, with the rights of any file that a program makes.
// Ends the command when that fails, and leaves nothing behind.
void put_in_place(const std::filesystem::path& made, const std::filesystem::path& to);

}  // namespace tessera::app
