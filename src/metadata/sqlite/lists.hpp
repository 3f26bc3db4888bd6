// Lists in SQLite.
#pragma once

#include "metadata/lists.hpp"
#include "metadata/sqlite/readers.hpp"

namespace tessera::metadata::sqlite {

class SqliteLists final : public Lists {
  public:
    SqliteLists(Readers& readers, const Clock& clock) : readers_(readers), clock_(clock) {}
    Result<Listed<Asset>> assets(Uuid account_id, const Page& page) override;
    Result<Listed<Job>> jobs(Uuid account_id, const JobFilter& filter, const Page& page) override;
    Result<Listed<StoredTileset>> tilesets(Uuid account_id, const Page& page) override;
    Result<std::vector<StoredVersion>> versions(Uuid tileset_id) override;
    Result<std::vector<std::optional<VersionTerms>>> terms(std::span<const TilesetVersionName> names) override;
    Result<std::optional<Asset>> signed_asset(Uuid id) override;

  private:
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
