// Jobs as workers see them: claimed with a lease, renewed, and ended once. Every call that changes a claimed job
// names its lease; when the lease is lost nothing is written and the answer says so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/job.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"

namespace tessera::metadata {

enum class Lane {
    any,
    light,  // passes heavy jobs over
};

// The right to work on a job. `claim` rises with every claim of the job and is never used twice (attempt_count may
// fall back when a job is handed back), unless a power cut took the claim back: use it in the names of what the attempt
// writes, and write over what has that name.
struct Lease {
    Uuid job_id;
    std::int64_t claim = 0;
    std::string worker;
    Uuid account_id;  // whose job it is
};

struct ClaimRequest {
    std::string worker;  // unique to a process, and never used again
    Lane lane = Lane::any;
    int max_jobs = 1;
    Millis lease{30'000};
    int then_light = 0;  // beyond max_jobs, when there were so many: up to this many light ones
};

struct ClaimedJob {
    Job job;  // running, attempt_count already raised
    Lease lease;
};

enum class LeaseAnswer { done, lease_lost };

struct LeaseRenewal {
    Lease lease;
    double progress = 0;  // 0 to 1; never shown to fall
};

// What a tile-type job publishes. The new version is `based_on` + 1, or 1 with a new tileset.
struct TilesetChange {
    Uuid tileset_id;
    std::int64_t based_on = 0;         // 0: makes the tileset
    bool append = false;               // layers go on top of those of `based_on`; otherwise they are all there is
    std::vector<TilesetLayer> layers;  // bottom first
    TilesetGeometry geometry;
    std::int64_t tile_count = 0;
    std::string options_json = "{}";
    std::optional<Timestamp> expires_at;
};

struct Completion {
    std::vector<Artifact> artifacts;  // id, account_id, job_id and created_at are the store's to say where nil
    std::string result_json = "{}";
    std::optional<TilesetChange> tileset;
};

enum class CompleteAnswer {
    done,
    lease_lost,
    tileset_gone,     // deleted, expired or not the account's: fail the job instead
    tileset_changed,  // `based_on` is no longer current: fail the job or do it again
};

enum class FailAnswer { retried, failed, lease_lost };

class Queue {
  public:
    virtual ~Queue() = default;

    // Fair between accounts (fewest running first), then oldest. Jobs on one tileset run one at a time in order of
    // acceptance. Jobs whose lease ran out are claimed again; one that has no attempts left ends here as failed, its
    // credits given back.
    virtual Result<std::vector<ClaimedJob>> claim(const ClaimRequest& request) = 0;

    // Extends the leases to `lease` from now. One answer each, in order.
    virtual Result<std::vector<LeaseAnswer>> renew(std::span<const LeaseRenewal> renewals, Millis lease) = 0;

    virtual Result<CompleteAnswer> complete(const Lease& lease, const Completion& completion) = 0;

    // Queues the job again after `retry_after` when that is given and attempts are left; otherwise the job ends, and
    // its credits are given back when the fault is the service's.
    virtual Result<FailAnswer> fail(const Lease& lease, const JobError& error, std::optional<Millis> retry_after) = 0;

    // Hands jobs back as if they had not been claimed: no attempt is spent. One answer each, in order.
    virtual Result<std::vector<LeaseAnswer>> release(std::span<const Lease> leases) = 0;

    // Ends the leases of workers that are known to be dead, as if they had run out: the attempts that they held are
    // spent, and their jobs can be claimed (or end) at once. Returns how many leases that were.
    virtual Result<int> end_leases_of(std::span<const std::string> dead_workers) = 0;

    // How long until something becomes claimable by time alone (a retry falls due, a lease runs out); empty when
    // nothing will. Wait that long or for Store::on_jobs_available, whichever is first.
    virtual Result<std::optional<Millis>> next_due() = 0;
};

}  // namespace tessera::metadata
