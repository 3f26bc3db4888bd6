#include "metadata/sqlite/queue.hpp"

#include <algorithm>
#include <iterator>

#include "core/job_log.hpp"
#include "metadata/row_values.hpp"
#include "metadata/sqlite/queue_steps.hpp"
#include "metadata/sqlite/rows.hpp"
#include "metadata/sqlite/tilesets.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

// A claim does at most so much of the house-keeping that it finds, so that it stays short.
constexpr int most_reaped = 16;
constexpr int most_woken = 64;
// Times this far ahead of the clock show that it was turned back.
constexpr Millis clock_slack{5'000};

enum class Reap {
    what_is_tried_again,  // leaves a job without attempts where it is
    all,
};

// Whether it left a job that has to end.
bool reap_expired(Transaction& transaction, Reap which) {
    std::vector<HeldJob> lost;
    {
        Query row(transaction.db, sql::queue::expired, transaction.now, most_reaped);
        while (row.next()) lost.push_back(read_held(row));
    }
    bool left = false;
    for (const HeldJob& job : lost) {
        const bool again = job.attempt_count < job.max_attempts;
        if (!again && which == Reap::what_is_tried_again) {
            left = true;
            continue;
        }
        log_job(log::Level::warning, "job_lease_lost", {job.request_id, trace_id_in(job.trace), job.account_id, job.id},
                {{"attempt", job.attempt_count}, {"tried_again", again}});
        if (again) {
            requeue(transaction, job, job.attempt_count, std::nullopt);
        } else {
            end_failed(transaction, job,
                       {JobErrorCode::internal_error, "the service stopped while it worked on this job", {}});
        }
    }
    return left;
}

void wake_delayed(Transaction& transaction) {
    struct Due {
        std::int64_t sequence;
        Uuid account_id;
        bool heavy;
    };
    std::vector<Due> due;
    {
        Query row(transaction.db, sql::queue::delay_over, transaction.now, most_woken);
        while (row.next()) {
            const std::int64_t sequence = row.integer();
            const Uuid account_id = row.uuid();
            due.push_back({sequence, account_id, row.flag()});
        }
    }
    for (const Due& job : due) {
        transaction.db.run(sql::queue::end_delay, job.sequence);
        make_ready(transaction, job.account_id, job.heavy, job.sequence);
    }
}

// Leases and delays that were set by a clock that has been turned back since start anew from now: whoever lives renews
// in time, and nothing waits for an hour to come again.
void follow_clock_back(Transaction& transaction) {
    const Timestamp horizon = transaction.now + clock_slack;
    if (!Query(transaction.db, sql::queue::any_from_the_future, horizon).next()) return;
    transaction.db.run(sql::queue::leases_from_the_future, transaction.now, horizon);
    transaction.db.run(sql::queue::delays_from_the_future, transaction.now, horizon);
}

std::optional<ClaimedJob> claim_next(Transaction& transaction, const ClaimRequest& request, Lane lane) {
    Connection& db = transaction.db;
    Uuid account_id;
    std::int64_t sequence = 0;
    bool heavy = false;
    {
        Query row(db, lane == Lane::light ? sql::queue::next_light : sql::queue::next_any);
        if (!row.next()) return std::nullopt;
        account_id = row.uuid();
        sequence = row.integer();
        heavy = row.flag();
    }
    db.run(sql::queue::take_ready, account_id, heavy, sequence);
    db.run(sql::queue::count_started, account_id);
    db.run(sql::queue::refresh_account, account_id);
    db.run(sql::queue::lease, sequence, request.worker, transaction.now + request.lease, transaction.now);
    db.run(sql::queue::start, sequence, transaction.now);
    ClaimedJob claimed;
    Query row(db, sql::queue::started, sequence);
    if (!row.next()) throw Failure(internal_error("sqlite: a ready job has no row"));
    claimed.lease.claim = row.integer();
    claimed.job = read_job(row);
    claimed.lease.job_id = claimed.job.id;
    claimed.lease.worker = request.worker;
    claimed.lease.account_id = claimed.job.account_id;
    transaction.job_changes.push_back({account_id, claimed.job.id, JobStatus::running});
    return claimed;
}

CompleteAnswer complete_in(Transaction& transaction, const Lease& lease, const Completion& completion) {
    const std::optional<HeldJob> held = find_held(transaction.db, lease);
    if (!held) return CompleteAnswer::lease_lost;
    if (completion.tileset) {
        const CompleteAnswer published = publish(transaction, *held, *completion.tileset);
        if (published != CompleteAnswer::done) return published;
    }
    int position = 0;
    for (Artifact artifact : completion.artifacts) {
        if (artifact.id == Uuid()) artifact.id = Uuid::time_ordered();
        artifact.account_id = held->account_id;
        artifact.job_id = held->id;
        if (artifact.created_at == Timestamp()) artifact.created_at = transaction.now;
        name_artifact(transaction, artifact, position++);
    }
    const auto made = completion.tileset ? std::optional(completion.tileset->tileset_id) : std::nullopt;
    transaction.db.run(sql::queue::succeed, held->sequence, completion.result_json, transaction.now, position, made);
    leave_queue(transaction, *held);
    transaction.job_changes.push_back({held->account_id, held->id, JobStatus::succeeded});
    return CompleteAnswer::done;
}

LeaseAnswer renew_one(Transaction& transaction, const LeaseRenewal& renewal, Millis lease) {
    const std::optional<HeldJob> held = find_held(transaction.db, renewal.lease);
    if (!held) return LeaseAnswer::lease_lost;
    transaction.db.run(sql::queue::renew, held->sequence, transaction.now + lease, transaction.now);
    transaction.db.run(sql::queue::progress, held->sequence, std::clamp(renewal.progress, 0.0, 1.0), transaction.now);
    return LeaseAnswer::done;
}

}  // namespace

// Lazily: after a power cut nobody works on the job, and it is as well that it was never claimed. Its completion syncs.
Result<std::vector<ClaimedJob>> SqliteQueue::claim(const ClaimRequest& request) {
    std::vector<ClaimedJob> claimed;
    bool must_end_some = false;
    const std::int64_t most = request.max_jobs + request.then_light;
    const auto claim_some = [&](Transaction& transaction) {
        follow_clock_back(transaction);
        must_end_some = reap_expired(transaction, Reap::what_is_tried_again);
        wake_delayed(transaction);
        std::vector<ClaimedJob> some;
        for (auto count = std::ssize(claimed); count < most; ++count) {
            const Lane lane = count < request.max_jobs ? request.lane : Lane::light;
            std::optional<ClaimedJob> next = claim_next(transaction, request, lane);
            if (!next) break;
            some.push_back(*std::move(next));
        }
        return some;
    };
    do {
        auto some = writer_.run(claim_some, Durability::lazy);
        if (!some) {
            if (claimed.empty()) return some;
            break;  // what was claimed before must not be forgotten
        }
        std::ranges::move(*some, std::back_inserter(claimed));
        if (!must_end_some) break;
        // An end that was shown stays shown: that one is synced. It may let others of its tileset go on.
        const auto ended = writer_.run([](Transaction& transaction) { reap_expired(transaction, Reap::all); });
        if (!ended) {
            log::warning("lost_jobs_not_ended", {{"detail", ended.error().detail}});
            break;
        }
    } while (std::ssize(claimed) < most);
    return claimed;
}

Result<std::vector<LeaseAnswer>> SqliteQueue::renew(std::span<const LeaseRenewal> renewals, Millis lease) {
    const auto renew_all = [&](Transaction& transaction) {
        std::vector<LeaseAnswer> answers;
        for (const LeaseRenewal& renewal : renewals) answers.push_back(renew_one(transaction, renewal, lease));
        return answers;
    };
    return writer_.run(renew_all, Durability::lazy);
}

Result<CompleteAnswer> SqliteQueue::complete(const Lease& lease, const Completion& completion) {
    return writer_.run([&](Transaction& transaction) { return complete_in(transaction, lease, completion); });
}

Result<FailAnswer> SqliteQueue::fail(const Lease& lease, const JobError& error, std::optional<Millis> retry_after) {
    return writer_.run([&](Transaction& transaction) {
        const std::optional<HeldJob> held = find_held(transaction.db, lease);
        if (!held) return FailAnswer::lease_lost;
        if (retry_after && held->attempt_count < held->max_attempts) {
            requeue(transaction, *held, held->attempt_count, retry_after);
            return FailAnswer::retried;
        }
        end_failed(transaction, *held, error);
        return FailAnswer::failed;
    });
}

Result<std::vector<LeaseAnswer>> SqliteQueue::release(std::span<const Lease> leases) {
    return writer_.run([&](Transaction& transaction) {
        std::vector<LeaseAnswer> answers;
        for (const Lease& lease : leases) {
            const std::optional<HeldJob> held = find_held(transaction.db, lease);
            if (held) requeue(transaction, *held, held->attempt_count - 1, std::nullopt);
            answers.push_back(held ? LeaseAnswer::done : LeaseAnswer::lease_lost);
        }
        return answers;
    });
}

// Lazily, as claims are: after a power cut they are ended again by whoever starts next.
Result<int> SqliteQueue::end_leases_of(std::span<const std::string> dead_workers) {
    const auto end_all = [&](Transaction& transaction) {
        int ended = 0;
        for (const std::string& worker : dead_workers) {
            Query row(transaction.db, sql::queue::end_leases_of, worker, transaction.now);
            while (row.next()) ++ended;
        }
        if (ended > 0) transaction.jobs_available = true;
        return ended;
    };
    return writer_.run(end_all, Durability::lazy);
}

Result<std::optional<Millis>> SqliteQueue::next_due() {
    return readers_.run([&](Connection& db) -> std::optional<Millis> {
        Query row(db, sql::queue::next_due);
        if (!row.next()) return std::nullopt;
        const std::optional<Timestamp> at = row.optional_time();
        if (!at) return std::nullopt;
        return std::max(Millis(0), *at - clock_.now());
    });
}

}  // namespace tessera::metadata::sqlite
