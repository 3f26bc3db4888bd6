// Jobs as those who wait for them ask: what has changed, and what has ended. All of it reads from indexes.
#pragma once

#include <span>
#include <vector>

#include "core/clock.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

// The last change of a job.
struct JobMark {
    Uuid account_id;
    Uuid job_id;
    JobStatus status = JobStatus::queued;
    Timestamp at;
};

struct ChangedJobs {
    Timestamp now;               // of the store's clock, by which changes are timed
    std::vector<JobMark> marks;  // in no order
};

class JobWatch {
  public:
    virtual ~JobWatch() = default;

    // Those of the accounts' jobs whose last change was at `since` or later. Of an account's queued, running and ended
    // ones up to `at_most` each.
    virtual Result<ChangedJobs> changed_since(std::span<const Uuid> accounts, Timestamp since, int at_most) = 0;

    // The jobs with their artifacts, whoever owns them; those that are gone are left out.
    virtual Result<std::vector<Job>> find_all(std::span<const Uuid> ids) = 0;

    // Those of them that are queued or running.
    virtual Result<std::vector<Uuid>> in_flight(std::span<const Uuid> ids) = 0;
};

}  // namespace tessera::metadata
