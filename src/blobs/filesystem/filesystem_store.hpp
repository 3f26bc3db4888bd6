// The blob store on a local (or shared POSIX) filesystem: staging/ and blobs/ under one data folder.
#pragma once

#include <filesystem>
#include <memory>

#include "blobs/blob_store.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

// Makes the folders where they are missing and sweeps the staging files of processes that died.
Result<std::unique_ptr<BlobStore>> open_filesystem_store(const std::filesystem::path& data_dir);

}  // namespace tessera::blobs
