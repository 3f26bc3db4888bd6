// Scratch files: they have no name, and are gone with their last descriptor, whatever happens to the process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera {

// On the filesystem of `folder`, for reading and writing.
Result<UniqueFd> make_scratch_file(const std::filesystem::path& folder);

// All of it, or an error.
Result<void> write_at(int file, std::uint64_t offset, std::span<const std::uint8_t> bytes);

}  // namespace tessera
