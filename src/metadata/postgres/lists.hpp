// Lists in PostgreSQL.
#pragma once

#include "metadata/lists.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresLists final : public Lists {
  public:
    PostgresLists(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<Listed<Asset>> assets(Uuid account_id, const Page& page) override;
    Result<Listed<Job>> jobs(Uuid account_id, const JobFilter& filter, const Page& page) override;
    Result<Listed<StoredTileset>> tilesets(Uuid account_id, const Page& page) override;
    Result<std::vector<StoredVersion>> versions(Uuid tileset_id) override;
    Result<std::vector<std::optional<VersionTerms>>> terms(std::span<const TilesetVersionName> names) override;
    Result<std::optional<Asset>> signed_asset(Uuid id) override;

  private:
    Pool& pool_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
