// Assets and artifacts in PostgreSQL.
#pragma once

#include "metadata/artifacts.hpp"
#include "metadata/assets.hpp"
#include "metadata/postgres/group_writer.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresAssets final : public Assets {
  public:
    PostgresAssets(Pool& pool, GroupWriter& writer, GivenTime time) : pool_(pool), writer_(writer), time_(time) {}
    using Assets::insert;
    Result<AssetInserted> insert(const Asset& asset, std::int64_t rewrite_token, const StorageLimits& limits) override;
    Result<std::optional<Asset>> find(Uuid account_id, Uuid id) override;
    Result<std::vector<Asset>> find_all(Uuid account_id, std::span<const Uuid> ids) override;

  private:
    Pool& pool_;
    GroupWriter& writer_;
    GivenTime time_;
};

class PostgresArtifacts final : public Artifacts {
  public:
    PostgresArtifacts(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<std::optional<Artifact>> find(Uuid account_id, Uuid id) override;
    Result<std::optional<Artifact>> find_signed(Uuid id) override;

  private:
    Pool& pool_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
