#include "metadata/postgres/audit.hpp"

#include "metadata/acting_as.hpp"
#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {

void Auditor::note(Connection& db, const Act& act) const {
    const std::string* acting = ActingAs::current();
    db.run(sql::audit::note, time_.now(), acting != nullptr ? *acting : actor_, act.action, act.account_id, act.subject,
           act.details);
}

Result<void> PostgresAudit::record(const Act& act) {
    return pool_.write([&](Connection& db) { auditor_.note(db, act); });
}

Result<std::vector<AuditEntry>> PostgresAudit::list(const AuditQuery& query) {
    return pool_.read([&](Connection& db) {
        std::vector<AuditEntry> entries;
        Rows row = db.run(sql::audit::list, query.after_sequence, query.since, query.account_id, query.limit);
        while (row.next()) entries.push_back(read_audit_entry(row));
        return entries;
    });
}

}  // namespace tessera::metadata::postgres
