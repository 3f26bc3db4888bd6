// The audit trail in SQLite.
#pragma once

#include "metadata/audit.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteAudit final : public Audit {
  public:
    SqliteAudit(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<void> record(const Act& act) override;
    Result<std::vector<AuditEntry>> list(const AuditQuery& query) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace tessera::metadata::sqlite
