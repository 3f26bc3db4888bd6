// Uploaded source images. Blobs of assets are named by their content, so several rows may name one blob.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/asset.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

enum class AssetInsert {
    stored,
    // The blob of that key was deleted a moment ago: write it again, then insert again with the token.
    write_blob_again,
    // The blob of that key is being deleted right now: wait a little, then write it again and insert again.
    blob_being_deleted,
};

// What an account may keep; absent where there is no bound.
struct StorageLimits {
    std::optional<std::int64_t> max_bytes;
    std::optional<std::int64_t> max_assets;
};

struct AssetInserted {
    AssetInsert answer = AssetInsert::stored;
    std::int64_t rewrite_token = 0;  // with write_blob_again
};

class Assets {
  public:
    virtual ~Assets() = default;

    // The blob must be durable before. Unless the answer is `stored`, nothing was inserted. `rewrite_token` is 0, or
    // that of an earlier answer after which the blob was written again in full (not just seen to exist).
    // `storage_limit_exceeded` when the account would keep more than it may.
    virtual Result<AssetInserted> insert(const Asset& asset, std::int64_t rewrite_token,
                                         const StorageLimits& limits) = 0;
    Result<AssetInserted> insert(const Asset& asset, std::int64_t rewrite_token) {
        return insert(asset, rewrite_token, {});
    }

    // Empty for another account's asset and for an expired one.
    virtual Result<std::optional<Asset>> find(Uuid account_id, Uuid id) = 0;
    // Those of `ids` that `find` would find, in any order, in one read.
    virtual Result<std::vector<Asset>> find_all(Uuid account_id, std::span<const Uuid> ids) = 0;
};

}  // namespace tessera::metadata
