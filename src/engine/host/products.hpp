// Takes the files that an engine made out of its hands, believing nothing that it said about them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/host/task.hpp"
#include "engine/host/writer_check.hpp"

namespace tessera::operations {
struct ProductPlan;
}

namespace tessera::engine {

struct TakingTerms {
    const std::filesystem::path& scratch_root;
    std::int64_t max_artifact_bytes = 0;
    const WriterCheck& writers;
};

struct Delivery {
    Outcome outcome;
    bool writer_left = false;  // the engine kept a file that it handed over
};

// Moves each file that the manifest names from `folder`, a descriptor, out of the engine's reach to below
// `scratch_root`, and checks that it is a plain file with one name, and ours, and what the plan says. One that still
// has a writer, or may have, is copied: from here on nobody can change what was taken.
Result<Delivery, JobError> take_products(const operations::ProductPlan& plan, const operations::RunRequest& request,
                                         const operations::Manifest& claimed, int folder, const TakingTerms& terms);

}  // namespace tessera::engine
