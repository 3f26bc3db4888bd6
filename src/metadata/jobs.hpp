// Jobs as their owners see them: submitted in one transaction, read by id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/job.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct IdempotencyKey {
    std::string key;
    Digest fingerprint{};  // of the normalised request
};

struct Submission {
    // id, account_id, asset_id, tileset_id, operation, options_json, heavy, credits, max_attempts, request_id and trace
    // are taken from it; everything else is the store's to say.
    Job job;
    std::optional<IdempotencyKey> idempotency;
    std::optional<std::int64_t> max_in_flight_jobs;  // queued and running
    std::optional<std::int64_t> max_period_credits;  // the allowance of the account's current period
    std::optional<std::int64_t> max_storage_bytes;   // an account that keeps as much or more gets no more jobs
};

enum class SubmitOutcome {
    created,
    replayed,  // the same key and fingerprint: `job` is the original
    conflict,  // the same key, another fingerprint
    in_flight_limit,
    credits_exhausted,
    storage_full,
};

struct Submitted {
    SubmitOutcome outcome = SubmitOutcome::created;
    std::optional<Job> job;  // when created or replayed
};

struct IdempotentJob {
    Digest fingerprint{};
    Uuid job_id;
};

struct CancelledJob {
    Job job;             // as it is now
    bool ended = false;  // by this call; false when it had ended before
};

// Jobs that could be claimed now, or could if their account were not suspended.
struct LaneCounts {
    std::int64_t ready = 0;
    std::optional<Millis> oldest;  // how long ago the oldest that may be claimed was accepted
};

struct JobCounts {
    std::int64_t queued = 0;  // including those that wait for a retry or for their tileset
    std::int64_t running = 0;
    LaneCounts light;
    LaneCounts heavy;
};

class Jobs {
  public:
    virtual ~Jobs() = default;

    // One transaction: idempotency, in-flight cap, credits, insert. Any number of simultaneous identical requests
    // make one job and one charge. `not_found` when there is no such account.
    virtual Result<Submitted> submit(const Submission& submission) = 0;

    // The job with its artifacts (those not expired). Empty for another account's job.
    virtual Result<std::optional<Job>> find(Uuid account_id, Uuid id) = 0;
    // What an idempotency key stands for, without a transaction: lets a replay be answered when, say, the asset has
    // expired since. `submit` decides again.
    virtual Result<std::optional<IdempotentJob>> find_idempotent(Uuid account_id, std::string_view key) = 0;

    // Ends the job as failed, `cancelled`, if it has not ended: whoever holds its lease has lost it and is told so
    // (Change::Kind::job_cancelled). Its credits come back if no attempt has begun. Empty for another account's job.
    virtual Result<std::optional<CancelledJob>> cancel(Uuid account_id, Uuid id) = 0;

    // Of the whole service, for metrics. Reads a row an account and a row a waiting job, from indexes.
    virtual Result<JobCounts> counts() = 0;
};

}  // namespace tessera::metadata
