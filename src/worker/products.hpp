// From the files that an engine made to durable blobs and the rows that will name them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/job.hpp"
#include "core/plan.hpp"
#include "core/result.hpp"
#include "engine/host/task.hpp"
#include "metadata/queue.hpp"
#include "worker/sources.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::operations {
class Operation;
}

namespace tessera::worker {

struct StoreProductsRequest {
    const metadata::ClaimedJob& claimed;
    const operations::Operation& operation;
    const Sources& sources;
    const PlanLimits& plan;
    std::int64_t max_artifact_bytes = 0;
    Timestamp now;
};

// Checks sizes, takes checksums of the very bytes that are stored, and publishes all files together. Keys are written
// to `keys` before anything is, so that the caller can have them swept whatever happens next.
Result<metadata::Completion, JobError> store_products(const StoreProductsRequest& request, engine::Outcome outcome,
                                                      blobs::BlobStore& blobs, std::vector<std::string>& keys);

// The name that a browser saves an artifact under: the stem is the source's own unless the operation has a better one.
std::string filename_for(const StoreProductsRequest& request, const operations::OutputFile& made);

}  // namespace tessera::worker
