// Takes the files that an engine made out of its hands, believing nothing that it said about them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/task.hpp"

namespace tessera::operations {
struct Manifest;
}

namespace tessera::engine {

// Moves each file of the manifest from `folder`, a descriptor, out of the engine's reach to below `scratch_root`, and
// checks that it is a plain file with one name, and ours.
Result<Outcome, JobError> take_products(const operations::Manifest& manifest, int folder,
                                        const std::filesystem::path& scratch_root, std::int64_t max_artifact_bytes);

}  // namespace tessera::engine
