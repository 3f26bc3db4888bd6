// Assets and artifacts in SQLite.
#pragma once

#include "metadata/artifacts.hpp"
#include "metadata/assets.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteAssets final : public Assets {
  public:
    SqliteAssets(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
    using Assets::insert;
    Result<AssetInserted> insert(const Asset& asset, std::int64_t rewrite_token, const StorageLimits& limits) override;
    Result<std::optional<Asset>> find(Uuid account_id, Uuid id) override;
    Result<std::vector<Asset>> find_all(Uuid account_id, std::span<const Uuid> ids) override;

  private:
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

class SqliteArtifacts final : public Artifacts {
  public:
    SqliteArtifacts(Readers& readers, const Clock& clock) : readers_(readers), clock_(clock) {}
    Result<std::optional<Artifact>> find(Uuid account_id, Uuid id) override;
    Result<std::optional<Artifact>> find_signed(Uuid id) override;

  private:
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
