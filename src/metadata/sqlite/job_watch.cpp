#include "metadata/sqlite/job_watch.hpp"

#include "metadata/row_values.hpp"
#include "metadata/sqlite/rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

Result<ChangedJobs> SqliteJobWatch::changed_since(std::span<const Uuid> accounts, Timestamp since, int at_most) {
    return readers_.run([&](Connection& db) {
        ChangedJobs changed{clock_.now(), {}};
        const auto read = [&](std::string_view sql, const Uuid& account) {
            Query row(db, sql, account, since, at_most);
            while (row.next()) {
                JobMark mark;
                mark.account_id = account;
                mark.job_id = row.uuid();
                mark.status = require_stored(row, job_status_from_string(row.text()), "job status");
                mark.at = row.time();
                changed.marks.push_back(mark);
            }
        };
        for (const Uuid& account : accounts) {
            read(sql::job_watch::queued_since, account);
            read(sql::job_watch::running_since, account);
            read(sql::job_watch::ended_since, account);
        }
        return changed;
    });
}

Result<std::vector<Job>> SqliteJobWatch::find_all(std::span<const Uuid> ids) {
    return readers_.run([&](Connection& db) {
        const Timestamp now = clock_.now();
        std::vector<Job> jobs;
        for (const Uuid& id : ids) {
            Query owner(db, sql::job_watch::owner, id);
            if (!owner.next()) continue;
            if (auto job = find_job(db, owner.uuid(), id, now)) jobs.push_back(*std::move(job));
        }
        return jobs;
    });
}

Result<std::vector<Uuid>> SqliteJobWatch::in_flight(std::span<const Uuid> ids) {
    return readers_.run([&](Connection& db) {
        std::vector<Uuid> found;
        for (const Uuid& id : ids) {
            if (Query(db, sql::job_watch::in_flight, id).next()) found.push_back(id);
        }
        return found;
    });
}

}  // namespace tessera::metadata::sqlite
