// What rows say that the blob store holds, for whoever compares the two: page by page in the order of the keys, on a
// connection of its own, beside a service that works.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

// A row that names a blob.
struct BlobOwner {
    enum class Kind { asset, artifact, tileset };
    Kind kind = Kind::asset;
    Uuid id;
    std::int64_t version = 0;  // of a tileset: the newest that has the blob as a layer
    Uuid account_id;
};

// A blob, and one row of each kind that names it.
struct OwnedBlob {
    std::string key;
    std::uint64_t size = 0;
    std::string sha256{};  // in hex; empty where no row knows it
    std::vector<BlobOwner> owners{};
    std::int64_t rows = 0;  // that name it, all told
};

struct InventorySize {
    std::int64_t blobs = 0;
    std::uint64_t bytes = 0;
};

class Inventory {
  public:
    virtual ~Inventory() = default;

    virtual Result<InventorySize> size() = 0;
    // Up to `limit` blobs whose keys come after `after` ("" is before all), in order. Fewer: there are no more.
    virtual Result<std::vector<OwnedBlob>> blobs(std::string_view after, int limit) = 0;

    // Those of `keys` that nothing names and that are not on the way to be deleted either.
    virtual Result<std::vector<std::string>> orphans(std::span<const std::string> keys) = 0;
    // Of these orphans, those that still are some. From now on nobody can name them, as if their deletion had begun:
    // Maintenance::finish_blob_deletion ends that.
    virtual Result<std::vector<std::string>> begin_removal(std::span<const std::string> keys) = 0;

    // What the database itself finds wrong with its pages, references and sums, in words; empty when all is well.
    virtual Result<std::vector<std::string>> problems() = 0;
};

// Both want a database of this version's schema. The clock must outlive it; PostgreSQL has its own, unless given one.
Result<std::unique_ptr<Inventory>> open_sqlite_inventory(const std::string& path, const Clock& clock);
Result<std::unique_ptr<Inventory>> open_postgres_inventory(const std::string& url, const Clock* clock = nullptr);

}  // namespace tessera::metadata
