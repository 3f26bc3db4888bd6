// The erasure of accounts in PostgreSQL.
#pragma once

#include "metadata/erasure.hpp"
#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresErasure final : public Erasure {
  public:
    PostgresErasure(Pool& pool, GivenTime time, const Auditor& auditor) : pool_(pool), time_(time), auditor_(auditor) {}
    Result<Account> begin(Uuid account_id) override;
    Result<int> remove_some(Uuid account_id) override;
    Result<Account> finish(Uuid account_id) override;
    Result<std::vector<Uuid>> unfinished() override;

  private:
    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

}  // namespace tessera::metadata::postgres
