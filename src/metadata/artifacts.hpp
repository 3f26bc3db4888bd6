// What jobs have made. Artifacts are inserted when their job completes (queue.hpp).
#pragma once

#include <optional>

#include "core/job.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

class Artifacts {
  public:
    virtual ~Artifacts() = default;

    // Empty for another account's artifact and for an expired one.
    virtual Result<std::optional<Artifact>> find(Uuid account_id, Uuid id) = 0;
    // For signed URLs, whose signature is the right to read.
    virtual Result<std::optional<Artifact>> find_signed(Uuid id) = 0;
};

}  // namespace tessera::metadata
