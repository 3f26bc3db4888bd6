#include "metadata/postgres/jobs.hpp"

#include "metadata/queued_job.hpp"
#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr int no_such_account = -1;

Call submit_call(const Submission& submission, std::optional<Timestamp> now) {
    const Job& job = submission.job;
    std::optional<std::string> key;
    std::optional<Digest> fingerprint;
    if (submission.idempotency) {
        key = submission.idempotency->key;
        fingerprint = submission.idempotency->fingerprint;
    }
    return {sql::jobs::submit,
            Parameters(now, job.id, job.account_id, job.asset_id, job.tileset_id, job.operation, job.options_json,
                       job.heavy, job.credits, job.max_attempts, key, fingerprint, submission.max_in_flight_jobs,
                       submission.max_period_credits, submission.max_storage_bytes, job.request_id,
                       job.trace.empty() ? std::nullopt : std::optional(job.trace))};
}

}  // namespace

Result<Submitted> PostgresJobs::submit(const Submission& submission) {
    const Uuid account_id = submission.job.account_id;
    Result<Rows> answered = writer_.run(account_id, submit_call(submission, time_.now()));
    if (!answered.ok()) return std::move(answered).error();
    return Pool::guarded([&]() -> Submitted {
        Rows& row = *answered;
        row.next();
        const int outcome = row.small();
        const Uuid id = row.uuid();
        const Timestamp at = row.time();
        if (row.flag()) listener_.jobs_available();
        if (outcome == no_such_account) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        Submitted submitted{static_cast<SubmitOutcome>(outcome), std::nullopt};
        if (submitted.outcome == SubmitOutcome::created) {
            submitted.job = as_queued(submission.job, at);
            listener_.job_changed(account_id, id, JobStatus::queued);
        }
        if (submitted.outcome == SubmitOutcome::replayed) {
            Result<std::optional<Job>> original = find(account_id, id);
            if (!original.ok()) throw Failure(std::move(original).error());
            if (!original->has_value()) throw Failure(storage_unavailable("a replayed job was removed meanwhile"));
            submitted.job = *std::move(original);
        }
        return submitted;
    });
}

Result<std::optional<Job>> PostgresJobs::find(Uuid account_id, Uuid id) {
    return pool_.read([&](Connection& db) -> std::optional<Job> {
        Rows row = db.run(sql::jobs::find, id, account_id);
        if (!row.next()) return std::nullopt;
        Job job = read_job(row);
        if (job.status == JobStatus::succeeded) {
            Rows artifact = db.run(sql::artifacts::of_job, id, time_.now());
            while (artifact.next()) job.artifacts.push_back(read_artifact(artifact));
        }
        return job;
    });
}

Result<std::optional<IdempotentJob>> PostgresJobs::find_idempotent(Uuid account_id, std::string_view key) {
    return pool_.read([&](Connection& db) -> std::optional<IdempotentJob> {
        Rows row = db.run(sql::jobs::find_idempotent, account_id, key);
        if (!row.next()) return std::nullopt;
        const Digest fingerprint = row.digest();
        return IdempotentJob{fingerprint, row.uuid()};
    });
}

Result<std::optional<CancelledJob>> PostgresJobs::cancel(Uuid account_id, Uuid id) {
    const JobErrorKind& kind = describe(JobErrorCode::cancelled);
    Result<Rows> answered =
        writer_.run(account_id, {sql::jobs::cancel, Parameters(time_.now(), account_id, id, kind.name, kind.meaning,
                                                               static_cast<int>(Change::Kind::job_cancelled))});
    if (!answered.ok()) return std::move(answered).error();
    return Pool::guarded([&]() -> std::optional<CancelledJob> {
        answered->next();
        const bool ended = answered->flag();
        if (answered->flag()) listener_.jobs_available();
        if (ended) listener_.job_changed(account_id, id, JobStatus::failed);
        Result<std::optional<Job>> job = find(account_id, id);
        if (!job.ok()) throw Failure(std::move(job).error());
        if (!*job) return std::nullopt;
        return CancelledJob{**std::move(job), ended};
    });
}

Result<JobCounts> PostgresJobs::counts() {
    return pool_.read([&](Connection& db) {
        const auto age = [](std::optional<std::int64_t> millis) -> std::optional<Millis> {
            if (!millis) return std::nullopt;
            return Millis(*millis);
        };
        JobCounts counts;
        Rows all = db.run(sql::jobs::counts, time_.now());
        all.next();
        counts.queued = all.integer();
        counts.running = all.integer();
        counts.light.oldest = age(all.optional_integer());
        counts.heavy.oldest = age(all.optional_integer());
        Rows ready = db.run(sql::jobs::count_ready);
        ready.next();
        counts.light.ready = ready.integer();
        counts.heavy.ready = ready.integer();
        return counts;
    });
}

}  // namespace tessera::metadata::postgres
