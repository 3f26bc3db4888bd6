// What has changed of jobs, from PostgreSQL.
#pragma once

#include "metadata/job_watch.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresJobWatch final : public JobWatch {
  public:
    PostgresJobWatch(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<ChangedJobs> changed_since(std::span<const Uuid> accounts, Timestamp since, int at_most) override;
    Result<std::vector<Job>> find_all(std::span<const Uuid> ids) override;
    Result<std::vector<Uuid>> in_flight(std::span<const Uuid> ids) override;

  private:
    Pool& pool_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
