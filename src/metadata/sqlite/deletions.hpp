// Deletions in SQLite.
#pragma once

#include "metadata/deletions.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteDeletions final : public Deletions {
  public:
    explicit SqliteDeletions(Writer& writer) : writer_(writer) {}
    Result<Deletion> remove_asset(Uuid account_id, Uuid id) override;
    Result<Deletion> remove_artifact(Uuid account_id, Uuid id) override;
    Result<Deletion> remove_artifacts_of(Uuid account_id, Uuid job_id) override;
    Result<Deletion> remove_tileset(Uuid account_id, Uuid id) override;

  private:
    Writer& writer_;
};

}  // namespace tessera::metadata::sqlite
