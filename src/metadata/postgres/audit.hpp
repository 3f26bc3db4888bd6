// The audit trail in PostgreSQL.
#pragma once

#include <string>

#include "metadata/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

// Writes entries into the transactions of acts.
class Auditor {
  public:
    Auditor(std::string actor, GivenTime time) : actor_(std::move(actor)), time_(time) {}
    void note(Connection& db, const Act& act) const;

  private:
    std::string actor_;
    GivenTime time_;
};

class PostgresAudit final : public Audit {
  public:
    PostgresAudit(Pool& pool, const Auditor& auditor) : pool_(pool), auditor_(auditor) {}
    Result<void> record(const Act& act) override;
    Result<std::vector<AuditEntry>> list(const AuditQuery& query) override;

  private:
    Pool& pool_;
    const Auditor& auditor_;
};

}  // namespace tessera::metadata::postgres
