#include "metadata/sqlite/audit.hpp"

#include "metadata/row_values.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

void Transaction::note_act(const Act& act) {
    db.run(sql::audit::note, now, actor, act.action, act.account_id, act.subject, act.details);
}

Result<void> SqliteAudit::record(const Act& act) {
    return writer_.run([&](Transaction& transaction) { transaction.note_act(act); });
}

Result<std::vector<AuditEntry>> SqliteAudit::list(const AuditQuery& query) {
    return readers_.run([&](Connection& db) {
        std::vector<AuditEntry> entries;
        Query row(db, sql::audit::list, query.after_sequence, query.since, query.account_id, query.limit);
        while (row.next()) entries.push_back(read_audit_entry(row));
        return entries;
    });
}

}  // namespace tessera::metadata::sqlite
