// A remote object open for reading in ranges through the caches.
#pragma once

#include <memory>

#include "blobs/blob_store.hpp"
#include "blobs/s3/known_objects.hpp"
#include "blobs/s3/range_reader.hpp"
#include "blobs/s3/s3_client.hpp"
#include "blobs/staging_area.hpp"

namespace tessera::blobs {

// The store's end of the wire and its caches. Shared with the blobs it opened, which may outlive the store.
struct Remote {
    Remote(const S3Config& config, StagingArea area)
        : client(config),
          cache(std::move(area)),
          blocks(cache.folder(), config.memory_cache_bytes, config.cache_bytes),
          ranges(blocks) {}

    // Of those very bytes: what was put in their place by somebody else is an error.
    Result<void> fetch(const BlobKey& key, const RemoteObject& object, std::uint64_t offset,
                       std::span<std::uint8_t> out);
    // Learns of an object by reading its first block, which tells as much as a HEAD would and is what a reader of an
    // archive wants first.
    Result<ObjectPtr> look_at(const BlobKey& key);

    S3Client client;
    StagingArea cache;
    BlockCache blocks;
    RangeReader ranges;
    KnownObjects known;
};

std::shared_ptr<const Blob> open_remote_blob(std::shared_ptr<Remote> remote, const BlobKey& key, ObjectPtr object);

}  // namespace tessera::blobs
