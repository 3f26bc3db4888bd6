// The host's look at what an engine made. A manifest is data, not truth: what can be known without the engine is said
// without it, and every number is held against the file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/job.hpp"
#include "core/result.hpp"
#include "operations/product_plan.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

// Of an artifact's metadata as an engine may send it: scalars, and lists and groups of them, by plain names.
inline constexpr std::size_t most_metadata_entries = 32;
inline constexpr std::size_t most_metadata_items = 8;  // of a list or a group
inline constexpr std::size_t longest_metadata_name = 40;
inline constexpr std::size_t longest_metadata_text = 64;

// A file that nobody can change any more, open for reading.
struct FileMade {
    int file = -1;
    std::int64_t byte_size = 0;
};
// Gets hold of a file that the manifest names; asked for each once.
using TakeFile = std::function<Result<FileMade, JobError>(const std::string& name)>;

// The manifest as it may be published: kinds, types and sizes from the plan, numbers from the files. Of what the engine
// says itself there are left the names of its files and, within bounds, metadata that the host does not know.
Result<Manifest, JobError> inspect(const ProductPlan& plan, const RunRequest& request, const Manifest& claimed,
                                   const TakeFile& take);

// What is wrong with what an engine says or made.
JobError misbehaved(std::string detail);

}  // namespace tessera::operations
