// Tilesets and their immutable versions. Versions are published when a job completes (queue.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/tileset.hpp"

namespace tessera::metadata {

struct TilesetVersionName {
    Uuid tileset_id;
    std::int64_t version = 0;
};

enum class FoldAnswer { folded, changed, gone };

class Tilesets {
  public:
    virtual ~Tilesets() = default;

    // Empty for another account's tileset, a deleted and an expired one.
    virtual Result<std::optional<Tileset>> find(Uuid account_id, Uuid id) = 0;
    // Whose it is does not matter: for signed URLs and for workers.
    virtual Result<std::optional<Tileset>> find_any(Uuid id) = 0;
    // `find_any` with the given version as `current`; empty when there is no such version.
    virtual Result<std::optional<Tileset>> find_version(Uuid id, std::int64_t version) = 0;
    virtual Result<std::vector<Tileset>> list(Uuid account_id) = 0;  // newest first
    // Whose each of these is, in their order; nothing for one that is not there. Version 0 is any. One query for all.
    virtual Result<std::vector<std::optional<Uuid>>> owners(std::span<const TilesetVersionName> names) = 0;

    // Gone for readers at once; its archives become garbage (maintenance.hpp). False when there is none.
    virtual Result<bool> remove(Uuid id) = 0;

    // Current versions of more than `layers` layers, longest first.
    virtual Result<std::vector<TilesetVersionName>> deeper_than(int layers, int limit) = 0;
    // Puts one archive of the same content in the place of these layers of the current version, whichever that is by
    // now. When they no longer lie in it, one directly over the other, nothing changes. Older versions keep theirs;
    // the old blobs stay until no version names them.
    virtual Result<FoldAnswer> fold(Uuid id, std::span<const TilesetLayer> replaced, const TilesetLayer& folded) = 0;
};

}  // namespace tessera::metadata
