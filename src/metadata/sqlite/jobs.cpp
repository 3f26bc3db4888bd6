#include "metadata/sqlite/jobs.hpp"

#include <algorithm>

#include "metadata/queued_job.hpp"
#include "metadata/sqlite/accounts.hpp"
#include "metadata/sqlite/queue_steps.hpp"
#include "metadata/sqlite/rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

std::int64_t first_integer(Query row) {
    return row.next() ? row.integer() : 0;
}

std::optional<IdempotentJob> find_key(Connection& db, const Uuid& account_id, std::string_view key) {
    Query row(db, sql::jobs::find_idempotent, account_id, key);
    if (!row.next()) return std::nullopt;
    const Digest fingerprint = row.digest();
    return IdempotentJob{fingerprint, row.uuid()};
}

// The answer, when the idempotency key has been used before.
std::optional<Submitted> earlier_use(Transaction& transaction, const Submission& submission) {
    if (!submission.idempotency) return std::nullopt;
    const auto& [key, fingerprint] = *submission.idempotency;
    const Uuid& account_id = submission.job.account_id;
    const std::optional<IdempotentJob> earlier = find_key(transaction.db, account_id, key);
    if (!earlier) return std::nullopt;
    std::optional<Job> job = find_job(transaction.db, account_id, earlier->job_id, transaction.now);
    if (!job) {  // removed long after it ended: the key is free again
        transaction.db.run(sql::jobs::forget_idempotent, account_id, key);
        return std::nullopt;
    }
    if (earlier->fingerprint != fingerprint) return Submitted{SubmitOutcome::conflict, std::nullopt};
    return Submitted{SubmitOutcome::replayed, std::move(job)};
}

CreditPeriod period_of(Transaction& transaction, const Uuid& account_id) {
    const auto period = current_period(transaction.db, account_id, transaction.now);
    if (!period) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
    return *period;
}

void insert(Transaction& transaction, const Job& job, const CreditPeriod& period) {
    Connection& db = transaction.db;
    const bool must_wait = job.tileset_id && tileset_is_busy(db, job.account_id, *job.tileset_id);
    db.run(sql::jobs::insert, job.id, job.account_id, job.asset_id, job.tileset_id, job.operation, job.options_json,
           job.heavy, job.credits, period.starts_at, transaction.now, job.max_attempts, job.request_id,
           job.trace.empty() ? std::nullopt : std::optional(job.trace));
    const std::int64_t sequence = db.last_insert_rowid();
    db.run(sql::jobs::count_in, job.account_id);
    if (!must_wait) {
        db.run(sql::queue::make_ready, job.account_id, job.heavy, sequence);
        db.run(job.heavy ? sql::jobs::first_heavy : sql::jobs::first_light, job.account_id, sequence);
        transaction.jobs_available = true;
    }
    transaction.job_changes.push_back({job.account_id, job.id, JobStatus::queued});
}

Submitted submit_in(Transaction& transaction, const Submission& submission) {
    const Job& job = submission.job;
    Connection& db = transaction.db;
    if (auto answer = earlier_use(transaction, submission)) return *std::move(answer);

    const CreditPeriod period = period_of(transaction, job.account_id);
    if (submission.max_in_flight_jobs &&
        first_integer(Query(db, sql::jobs::in_flight, job.account_id)) >= *submission.max_in_flight_jobs) {
        return {SubmitOutcome::in_flight_limit, std::nullopt};
    }
    if (submission.max_storage_bytes &&
        first_integer(Query(db, sql::usage::storage, job.account_id)) >= *submission.max_storage_bytes) {
        return {SubmitOutcome::storage_full, std::nullopt};
    }
    if (submission.max_period_credits) {
        const std::int64_t used = first_integer(Query(db, sql::usage::credits_used, job.account_id, period.starts_at));
        if (job.credits > *submission.max_period_credits - used) {
            return {SubmitOutcome::credits_exhausted, std::nullopt};
        }
    }

    insert(transaction, job, period);
    charge(transaction, job.account_id, job.id, job.credits, period.starts_at);
    if (submission.idempotency) {
        db.run(sql::jobs::remember_idempotent, job.account_id, submission.idempotency->key,
               submission.idempotency->fingerprint, job.id, transaction.now);
    }
    return {SubmitOutcome::created, as_queued(job, transaction.now)};
}

// False when there is no such job, or it has ended.
bool cancel_in(Transaction& transaction, const Uuid& account_id, const Uuid& id) {
    HeldJob job;
    bool running = false;
    {
        Query row(transaction.db, sql::queue::not_ended, id, account_id);
        if (!row.next()) return false;
        job = read_held(row);
        running = job_status_from_string(row.text()) == JobStatus::running;
    }
    const JobErrorKind& kind = describe(JobErrorCode::cancelled);
    transaction.db.run(sql::queue::fail, job.sequence, kind.name, kind.meaning, transaction.now);
    if (job.attempt_count == 0) give_back(transaction, job);
    running ? leave_queue(transaction, job) : leave_queue_unclaimed(transaction, job);
    transaction.note_change(Change::Kind::job_cancelled, id);
    transaction.job_changes.push_back({account_id, id, JobStatus::failed});
    return true;
}

}  // namespace

Result<Submitted> SqliteJobs::submit(const Submission& submission) {
    return writer_.run([&](Transaction& transaction) { return submit_in(transaction, submission); });
}

Result<std::optional<Job>> SqliteJobs::find(Uuid account_id, Uuid id) {
    return readers_.run([&](Connection& db) { return find_job(db, account_id, id, clock_.now()); });
}

Result<std::optional<IdempotentJob>> SqliteJobs::find_idempotent(Uuid account_id, std::string_view key) {
    return readers_.run([&](Connection& db) { return find_key(db, account_id, key); });
}

Result<std::optional<CancelledJob>> SqliteJobs::cancel(Uuid account_id, Uuid id) {
    return writer_.run([&](Transaction& transaction) -> std::optional<CancelledJob> {
        const bool ended = cancel_in(transaction, account_id, id);
        auto job = find_job(transaction.db, account_id, id, transaction.now);
        if (!job) return std::nullopt;
        return CancelledJob{*std::move(job), ended};
    });
}

Result<JobCounts> SqliteJobs::counts() {
    return readers_.run([&](Connection& db) {
        const auto age = [now = clock_.now()](std::optional<Timestamp> since) -> std::optional<Millis> {
            if (!since) return std::nullopt;
            return std::max(Millis(0), now - *since);
        };
        JobCounts counts;
        Query all(db, sql::jobs::counts);
        all.next();
        counts.queued = all.integer();
        counts.running = all.integer();
        counts.light.oldest = age(all.optional_time());
        counts.heavy.oldest = age(all.optional_time());
        Query ready(db, sql::jobs::count_ready);
        ready.next();
        counts.light.ready = ready.integer();
        counts.heavy.ready = ready.integer();
        return counts;
    });
}

}  // namespace tessera::metadata::sqlite
