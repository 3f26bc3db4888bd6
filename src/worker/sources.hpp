// What a job works on: the assets that it names anywhere in its request and the tileset that it reads, looked up when
// the job runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/asset.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::worker {

struct Sources {
    std::vector<Asset> assets;  // each once, the job's own first, then as they are named
    std::optional<Tileset> tileset;
};

// The ids that the job names: its own asset first, then every `asset_id` in its options, in order, each once.
std::vector<Uuid> assets_of(const Job& job);

// `source_unavailable` when one of them is gone.
Result<Sources, JobError> find_sources(const Job& job, metadata::Store& store);

// An error of a store, as a job reports it.
JobError storage_failure(const Error& error);

}  // namespace tessera::worker
