#include "metadata/sqlite/queue_steps.hpp"

#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

void let_next_of_tileset_go(Transaction& transaction, const HeldJob& job) {
    if (!job.tileset_id) return;
    Query next(transaction.db, sql::queue::first_of_tileset, job.account_id, *job.tileset_id);
    if (!next.next()) return;
    const std::int64_t sequence = next.integer();
    make_ready(transaction, job.account_id, next.flag(), sequence);
}

}  // namespace

HeldJob read_held(Query& row) {
    HeldJob job;
    job.sequence = row.integer();
    job.id = row.uuid();
    job.account_id = row.uuid();
    job.tileset_id = row.optional_uuid();
    job.heavy = row.flag();
    job.credits = row.integer();
    job.period_starts_at = row.time();
    job.attempt_count = row.small();
    job.max_attempts = row.small();
    job.request_id = row.text();
    job.trace = row.optional_text().value_or("");
    return job;
}

std::optional<HeldJob> find_held(Connection& db, const Lease& lease) {
    Query row(db, sql::queue::held, lease.job_id, lease.claim, lease.worker);
    if (!row.next()) return std::nullopt;
    return read_held(row);
}

bool tileset_is_busy(Connection& db, const Uuid& account_id, const Uuid& tileset_id) {
    return Query(db, sql::queue::first_of_tileset, account_id, tileset_id).next();
}

void make_ready(Transaction& transaction, const Uuid& account_id, bool heavy, std::int64_t sequence) {
    transaction.db.run(sql::queue::make_ready, account_id, heavy, sequence);
    transaction.db.run(sql::queue::refresh_account, account_id);
    transaction.jobs_available = true;
}

void charge(Transaction& transaction, const Uuid& account_id, const Uuid& job_id, std::int64_t credits,
            Timestamp period_starts_at) {
    if (credits == 0) return;
    transaction.db.run(sql::usage::enter, account_id, job_id, "charge", credits, period_starts_at, transaction.now);
    transaction.db.run(sql::usage::add_credits, account_id, period_starts_at, credits);
}

void give_back(Transaction& transaction, const HeldJob& job) {
    if (job.credits == 0) return;
    transaction.db.run(sql::usage::enter, job.account_id, job.id, "return", -job.credits, job.period_starts_at,
                       transaction.now);
    transaction.db.run(sql::usage::take_credits, job.account_id, job.period_starts_at, job.credits);
}

void requeue(Transaction& transaction, const HeldJob& job, int attempt_count, std::optional<Millis> after) {
    Connection& db = transaction.db;
    db.run(sql::queue::requeue, job.sequence, attempt_count, transaction.now);
    db.run(sql::queue::end_lease, job.sequence);
    db.run(sql::queue::count_stopped, job.account_id);
    transaction.job_changes.push_back({job.account_id, job.id, JobStatus::queued});
    if (after && after->count() > 0) {
        db.run(sql::queue::delay, job.sequence, transaction.now + *after, transaction.now);
        transaction.jobs_available = true;  // whoever waits must learn until when
    } else {
        make_ready(transaction, job.account_id, job.heavy, job.sequence);
    }
}

void end_failed(Transaction& transaction, const HeldJob& job, const JobError& error) {
    const JobErrorKind& kind = describe(error.code);
    transaction.db.run(sql::queue::fail, job.sequence, kind.name, error.message, transaction.now);
    if (kind.service_fault) give_back(transaction, job);
    leave_queue(transaction, job);
    transaction.job_changes.push_back({job.account_id, job.id, JobStatus::failed});
}

void leave_queue(Transaction& transaction, const HeldJob& job) {
    Connection& db = transaction.db;
    db.run(sql::queue::end_lease, job.sequence);
    db.run(sql::queue::count_ended, job.account_id);
    let_next_of_tileset_go(transaction, job);
}

void leave_queue_unclaimed(Transaction& transaction, const HeldJob& job) {
    Connection& db = transaction.db;
    db.run(sql::queue::take_ready, job.account_id, job.heavy, job.sequence);
    bool was_next = db.changes() > 0;
    if (was_next) {
        db.run(sql::queue::refresh_account, job.account_id);
    } else {
        db.run(sql::queue::end_delay, job.sequence);
        was_next = db.changes() > 0;
    }
    db.run(sql::queue::count_cancelled, job.account_id);
    // One that waited for its tileset held nobody up.
    if (was_next) let_next_of_tileset_go(transaction, job);
}

}  // namespace tessera::metadata::sqlite
