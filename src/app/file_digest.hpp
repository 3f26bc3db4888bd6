// The SHA-256 of a file.
#pragma once

#include <filesystem>

#include "core/hash.hpp"
#include "core/result.hpp"

namespace tessera::app {

Result<Digest> sha256_of_file(int fd);
Result<Digest> sha256_of_file(const std::filesystem::path& path);

}  // namespace tessera::app
