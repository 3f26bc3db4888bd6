// The blob store on S3: staged on the local disk, published with one request (or in parts), read through caches in
// memory and on the local disk.
#pragma once

#include <filesystem>
#include <memory>

#include "blobs/blob_store.hpp"
#include "blobs/s3/s3_config.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

// `data_dir` gets staging/ and cache/. A bucket that is missing, closed to us or read-only is an error whose message
// says so; a store that can't be reached just now is not: it may come back.
Result<std::unique_ptr<BlobStore>> open_s3_store(const S3Config& config, const std::filesystem::path& data_dir);

}  // namespace tessera::blobs
