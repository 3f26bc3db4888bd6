// A part of a blob on its way to a client.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

// Of a local file, or in memory where the blob lives elsewhere.
struct BlobRange {
    std::shared_ptr<const UniqueFd> file;
    std::shared_ptr<const std::string> bytes;
    std::uint64_t offset = 0;  // in `file`
    std::uint64_t length = 0;
};

// Fails as well when the blob is gone, or has not `size` bytes.
[[nodiscard]] Result<BlobRange> read_range(blobs::BlobStore& blobs, const std::string& storage_key, std::int64_t size,
                                           std::uint64_t offset, std::uint64_t length);

}  // namespace tessera::service
