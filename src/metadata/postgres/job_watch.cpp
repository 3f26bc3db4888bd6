#include "metadata/postgres/job_watch.hpp"

#include <unordered_map>

#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

Call call_with(std::string_view sql, std::span<const Uuid> ids) {
    std::vector<std::optional<std::string>> texts;
    texts.reserve(ids.size());
    for (const Uuid& id : ids) texts.emplace_back(id.to_string());
    Call call{sql, {}};
    call.parameters.add_array(texts);
    return call;
}

}  // namespace

Result<ChangedJobs> PostgresJobWatch::changed_since(std::span<const Uuid> accounts, Timestamp since, int at_most) {
    Call call = call_with(sql::job_watch::changed_since, accounts);
    call.parameters.add(since);
    call.parameters.add(at_most);
    return pool_.read([&](Connection& db) {
        ChangedJobs changed;
        // Asked before: what commits between the two is at worst told of twice.
        Rows now = db.run(sql::job_watch::now, time_.now());
        now.next();
        changed.now = now.time();
        if (accounts.empty()) return changed;
        Rows row = db.run(call);
        while (row.next()) {
            JobMark mark;
            mark.account_id = row.uuid();
            mark.job_id = row.uuid();
            mark.status = require_stored(row, job_status_from_string(row.text()), "job status");
            mark.at = row.time();
            changed.marks.push_back(mark);
        }
        return changed;
    });
}

Result<std::vector<Job>> PostgresJobWatch::find_all(std::span<const Uuid> ids) {
    const Call jobs_call = call_with(sql::job_watch::find_all, ids);
    return pool_.read([&](Connection& db) {
        std::vector<Job> jobs;
        std::vector<Uuid> with_artifacts;
        std::unordered_map<Uuid, std::size_t> places;
        Rows row = db.run(jobs_call);
        while (row.next()) {
            const Job& job = jobs.emplace_back(read_job(row));
            if (job.status != JobStatus::succeeded) continue;
            places.emplace(job.id, jobs.size() - 1);
            with_artifacts.push_back(job.id);
        }
        if (with_artifacts.empty()) return jobs;
        Call call = call_with(sql::job_watch::artifacts_of, with_artifacts);
        call.parameters.add(time_.now());
        Rows artifact = db.run(call);
        while (artifact.next()) {
            Artifact made = read_artifact(artifact);
            jobs[places.at(made.job_id)].artifacts.push_back(std::move(made));
        }
        return jobs;
    });
}

Result<std::vector<Uuid>> PostgresJobWatch::in_flight(std::span<const Uuid> ids) {
    const Call call = call_with(sql::job_watch::in_flight, ids);
    return pool_.read([&](Connection& db) {
        std::vector<Uuid> found;
        Rows row = db.run(call);
        while (row.next()) found.push_back(row.uuid());
        return found;
    });
}

}  // namespace tessera::metadata::postgres
