// The steps that submissions, claims and endings of jobs are made of, each inside a transaction.
#pragma once

#include <optional>

#include "core/job.hpp"
#include "metadata/queue.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

// A running job as its lease holder or the reaper sees it.
struct HeldJob {
    std::int64_t sequence = 0;
    Uuid id;
    Uuid account_id;
    std::optional<Uuid> tileset_id;
    bool heavy = false;
    std::int64_t credits = 0;
    Timestamp period_starts_at;
    int attempt_count = 0;
    int max_attempts = 0;
    std::string request_id;
    std::string trace;
};
HeldJob read_held(Query& row);
// Empty when the lease is lost.
std::optional<HeldJob> find_held(Connection& db, const Lease& lease);

// An earlier job of the account on the tileset has not ended.
bool tileset_is_busy(Connection& db, const Uuid& account_id, const Uuid& tileset_id);
void make_ready(Transaction& transaction, const Uuid& account_id, bool heavy, std::int64_t sequence);

void charge(Transaction& transaction, const Uuid& account_id, const Uuid& job_id, std::int64_t credits,
            Timestamp period_starts_at);
void give_back(Transaction& transaction, const HeldJob& job);

// running → queued, to be claimed at once or after a while.
void requeue(Transaction& transaction, const HeldJob& job, int attempt_count, std::optional<Millis> after);
// running → failed.
void end_failed(Transaction& transaction, const HeldJob& job, const JobError& error);
// After the status was set: the lease, the counters, and the next job on the tileset.
void leave_queue(Transaction& transaction, const HeldJob& job);
// The same for a job that nobody has claimed.
void leave_queue_unclaimed(Transaction& transaction, const HeldJob& job);

}  // namespace tessera::metadata::sqlite
