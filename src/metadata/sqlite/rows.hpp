// What several aggregates read and write in one transaction: jobs with their artifacts, tilesets with their layers.
#pragma once

#include "core/job.hpp"
#include "core/tileset.hpp"
#include "metadata/sqlite/connection.hpp"

namespace tessera::metadata::sqlite {

// The job with its artifacts; empty when the account has no such job.
std::optional<Job> find_job(Connection& db, const Uuid& account_id, const Uuid& id, Timestamp now);

void insert_artifact(Connection& db, const Artifact& artifact, int position);
// With the given version as `current`, or the current one when it is 0.
std::optional<Tileset> find_tileset(Connection& db, const Uuid& id, std::int64_t version, Timestamp now);

}  // namespace tessera::metadata::sqlite
