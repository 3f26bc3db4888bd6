// BlobStore: where bytes live, apart from the rows that name them. Blobs are immutable: a key is published once,
// whole, and is never changed, only removed. Every call may block on the disk or the network and is safe from any
// thread. A missing blob is `not_found`; a disk or a store that fails is `storage_unavailable`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/blob_key.hpp"
#include "blobs/request_meters.hpp"
#include "blobs/staged_file.hpp"
#include "core/clock.hpp"
#include "core/file.hpp"
#include "core/meters.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

// Bytes that stay where they are for as long as `owner` is held.
struct HeldBytes {
    std::shared_ptr<const void> owner;
    std::span<const std::uint8_t> bytes;
};

// One blob open for reading. A local one stays readable while it is held, whatever becomes of its name; of a remote one
// that was removed, only what is cached.
class Blob {
  public:
    virtual ~Blob() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;
    // Fills all of `out`; reading past the end is an error.
    virtual Result<void> read_at(std::uint64_t offset, std::span<std::uint8_t> out) const = 0;
    // The same, but only where it needs no waiting for a disk or a network; false otherwise, and `out` is undefined.
    virtual bool try_read_at(std::uint64_t offset, std::span<std::uint8_t> out) const = 0;
    // The bytes themselves, where they are in memory in one piece now; nothing otherwise. Never waits.
    [[nodiscard]] virtual std::optional<HeldBytes> hold(std::uint64_t /*offset*/, std::size_t /*length*/) const {
        return std::nullopt;
    }
    // For sendfile; -1 where the bytes are not in one local file.
    [[nodiscard]] virtual int descriptor() const = 0;
};

// What publishing does with a key that is there already. Its bytes are the same by contract, so keeping it is cheap and
// right, except where it may be about to be removed: then it has to be written in full.
enum class IfThere { keep, write_again };

struct Publication {
    StagedFile file;
    BlobKey key;
    IfThere if_there = IfThere::keep;
};

struct BlobEntry {
    BlobKey key;
    std::uint64_t size = 0;
    Timestamp modified_at;
};

struct BlobPage {
    std::vector<BlobEntry> entries;
    std::optional<std::string> next;  // hand it to the next call; absent at the end
};

class BlobStore {
  public:
    virtual ~BlobStore() = default;

    // A new local file to write into.
    virtual Result<StagedFile> stage() = 0;

    // Durable under its key when this returns, or not there at all. Calls that wait at the same time share their syncs.
    Result<void> publish(StagedFile file, const BlobKey& key, IfThere if_there = IfThere::keep);
    // Many at once; on an error some of them may have been published.
    virtual Result<void> publish(std::vector<Publication> publications) = 0;

    virtual Result<std::shared_ptr<const Blob>> open(const BlobKey& key) = 0;
    // The whole blob as a local file, open for reading: what an engine is given. A remote store fetches and verifies
    // it.
    virtual Result<UniqueFd> open_local(const BlobKey& key) = 0;

    // Removing what is not there is no error.
    virtual Result<void> remove(const BlobKey& key) = 0;

    // Blobs whose key starts with `prefix` ("" for all), each once, in no promised order. Blobs that come or go
    // meanwhile may or may not be seen.
    virtual Result<BlobPage> list(std::string_view prefix, const std::optional<std::string>& from,
                                  std::size_t limit) = 0;

    // Removes what processes that died have left half written in the store, begun before that instant; how many.
    virtual Result<std::int64_t> remove_unfinished(Timestamp /*before*/) { return 0; }

    // Nothing whose key starts with `prefix` may stay in a cache of this process; more than that may go.
    virtual void forget_cached(std::string_view /*prefix*/) {}

    // For metrics. Null, and none, where the bytes are here.
    struct NamedCache {
        std::string_view name;
        const CacheMeter* meter;
    };
    [[nodiscard]] virtual const RequestMeters* requests() const { return nullptr; }
    [[nodiscard]] virtual std::vector<NamedCache> caches() const { return {}; }

    // Whether the store can take and give bytes now.
    virtual Result<void> check() = 0;
};

}  // namespace tessera::blobs
