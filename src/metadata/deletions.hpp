// What owners delete: gone for readers at once. Its blobs become garbage (maintenance.hpp) unless something else names
// them. For a day it is remembered what was deleted, so that a deletion may be asked for again.
#pragma once

#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

enum class Deletion {
    removed,
    removed_before,  // by an earlier deletion
    not_found,       // the account has none: never had, or it expired
    not_ended,       // the job that it is about has not ended
};

class Deletions {
  public:
    virtual ~Deletions() = default;

    virtual Result<Deletion> remove_asset(Uuid account_id, Uuid id) = 0;
    virtual Result<Deletion> remove_artifact(Uuid account_id, Uuid id) = 0;
    // All artifacts of a job that has ended; `removed` also when it has none.
    virtual Result<Deletion> remove_artifacts_of(Uuid account_id, Uuid job_id) = 0;
    virtual Result<Deletion> remove_tileset(Uuid account_id, Uuid id) = 0;
};

// Requests and jobs under way may still read a blob whose name has just gone.
inline constexpr Millis keep_deleted_blobs = std::chrono::minutes(10);
inline constexpr Millis deletions_are_remembered = std::chrono::hours(24);

}  // namespace tessera::metadata
