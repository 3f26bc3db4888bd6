// How alike two pictures look, found in an engine. Not a job of the service: `tessera process compare` asks for it.
#pragma once

#include <memory>

#include "operations/operation.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

RunRequest comparison_request(const InputImage& reference, const InputImage& candidate);

// The score of a comparison that was made.
double score_of(const Manifest& manifest);

std::unique_ptr<Operation> make_compare();

}  // namespace tessera::operations
