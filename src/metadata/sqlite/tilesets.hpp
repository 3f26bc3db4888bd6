// Tilesets in SQLite.
#pragma once

#include "metadata/queue.hpp"
#include "metadata/sqlite/queue_steps.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::metadata::sqlite {

class SqliteTilesets final : public Tilesets {
  public:
    SqliteTilesets(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
    Result<std::optional<Tileset>> find(Uuid account_id, Uuid id) override;
    Result<std::optional<Tileset>> find_any(Uuid id) override;
    Result<std::optional<Tileset>> find_version(Uuid id, std::int64_t version) override;
    Result<std::vector<Tileset>> list(Uuid account_id) override;
    Result<std::vector<std::optional<Uuid>>> owners(std::span<const TilesetVersionName> names) override;
    Result<bool> remove(Uuid id) override;
    Result<std::vector<TilesetVersionName>> deeper_than(int layers, int limit) override;
    Result<FoldAnswer> fold(Uuid id, std::span<const TilesetLayer> replaced, const TilesetLayer& folded) override;

  private:
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

// Steps of a completing transaction: the new version, and an artifact. Both take the names of their blobs.
CompleteAnswer publish(Transaction& transaction, const HeldJob& job, const TilesetChange& change);
void name_artifact(Transaction& transaction, const Artifact& artifact, int position);

// Removes the tileset with all its versions; its archives become garbage after `keep_blobs`.
void remove_tileset(Transaction& transaction, const Uuid& id, Millis keep_blobs);
void remove_version(Transaction& transaction, const TilesetVersionName& name, Millis keep_blobs);

}  // namespace tessera::metadata::sqlite
