// Signing secrets in PostgreSQL.
#pragma once

#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "metadata/signing_secrets.hpp"

namespace tessera::metadata::postgres {

class PostgresSigningSecrets final : public SigningSecrets {
  public:
    PostgresSigningSecrets(Pool& pool, GivenTime time, const Auditor& auditor)
        : pool_(pool), time_(time), auditor_(auditor) {}
    Result<std::vector<StoredSecret>> all() override;
    Result<std::vector<StoredSecret>> all_or_first(const std::string& secret) override;
    Result<std::vector<StoredSecret>> rotate(const std::string& secret, std::size_t keep) override;

  private:
    Result<std::vector<StoredSecret>> add(const std::string& secret, std::optional<std::int64_t> keep);

    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

}  // namespace tessera::metadata::postgres
