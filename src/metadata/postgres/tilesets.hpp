// Tilesets in PostgreSQL.
#pragma once

#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::metadata::postgres {

class PostgresTilesets final : public Tilesets {
  public:
    PostgresTilesets(Pool& pool, GivenTime time, const Auditor& auditor)
        : pool_(pool), time_(time), auditor_(auditor) {}
    Result<std::optional<Tileset>> find(Uuid account_id, Uuid id) override;
    Result<std::optional<Tileset>> find_any(Uuid id) override;
    Result<std::optional<Tileset>> find_version(Uuid id, std::int64_t version) override;
    Result<std::vector<Tileset>> list(Uuid account_id) override;
    Result<std::vector<std::optional<Uuid>>> owners(std::span<const TilesetVersionName> names) override;
    Result<bool> remove(Uuid id) override;
    Result<std::vector<TilesetVersionName>> deeper_than(int layers, int limit) override;
    Result<FoldAnswer> fold(Uuid id, std::span<const TilesetLayer> replaced, const TilesetLayer& folded) override;

  private:
    Result<std::optional<Tileset>> find_one(const Uuid& id, std::optional<std::int64_t> version);

    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

}  // namespace tessera::metadata::postgres
