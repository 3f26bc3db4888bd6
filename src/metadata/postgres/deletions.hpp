// Deletions in PostgreSQL.
#pragma once

#include "metadata/deletions.hpp"
#include "metadata/postgres/listener.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresDeletions final : public Deletions {
  public:
    PostgresDeletions(Pool& pool, Listener& listener, GivenTime time) : pool_(pool), listener_(listener), time_(time) {}
    Result<Deletion> remove_asset(Uuid account_id, Uuid id) override;
    Result<Deletion> remove_artifact(Uuid account_id, Uuid id) override;
    Result<Deletion> remove_artifacts_of(Uuid account_id, Uuid job_id) override;
    Result<Deletion> remove_tileset(Uuid account_id, Uuid id) override;

  private:
    Result<Deletion> remove(std::string_view sql, const Uuid& account_id, const Uuid& id);

    Pool& pool_;
    Listener& listener_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
