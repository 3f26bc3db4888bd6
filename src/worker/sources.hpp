// What a job works on: the assets that it names anywhere in its request and the tileset that it reads, looked up when
// the job runs.
#pragma once

#include <optional>
#include <span>
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
    std::vector<Asset> assets;  // the images of the run, in its order
    std::optional<Tileset> tileset;
};

// `images` are the ids of those that the job's operation works on. `source_unavailable` when one of them is gone.
Result<Sources, JobError> find_sources(const Job& job, std::span<const Uuid> images, metadata::Store& store);

// An error of a store, as a job reports it.
JobError storage_failure(const Error& error);

}  // namespace tessera::worker
