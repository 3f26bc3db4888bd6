// A file that a command was asked to write: what it may replace, and that it is whole when it appears under its name.
#pragma once

#include <filesystem>

namespace tessera::app {

enum class Existing { keep, replace };

// Ends the command where something is at `to` that may not be replaced: a folder never, anything else with --force.
void require_free(const std::filesystem::path& to, Existing existing);
// Ends the command where both are the same file, by whatever name: a result never replaces what it is made of.
void require_other_file(const std::filesystem::path& to, const std::filesystem::path& from);

// A name in the folder of `to` that nobody has, for the file in the making.
std::filesystem::path name_beside(const std::filesystem::path& to);

// Renames `made`, which must lie in the same file system, to `to`, with the rights of any file that a program makes.
// Ends the command when that fails, and leaves nothing behind.
void put_in_place(const std::filesystem::path& made, const std::filesystem::path& to, Existing existing);

}  // namespace tessera::app
