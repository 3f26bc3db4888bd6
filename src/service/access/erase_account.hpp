// Erases an account with all it owns. Every step can be taken again, so that a run that was killed goes on when it is
// started again.
#pragma once

#include <cstdint>
#include <functional>

#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
}

namespace tessera::service {

struct ErasureReport {
    std::int64_t rows = 0;
    std::int64_t blobs = 0;
    std::int64_t bytes = 0;
};

// `not_found` when there is no such account. `progress` is told now and then.
Result<ErasureReport> erase_account(metadata::Store& store, blobs::BlobStore& blobs, const Uuid& account_id,
                                    const std::function<void(const ErasureReport&)>& progress = {});

}  // namespace tessera::service
