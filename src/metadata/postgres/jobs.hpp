// Submission and reading of jobs in PostgreSQL.
#pragma once

#include "metadata/jobs.hpp"
#include "metadata/postgres/group_writer.hpp"
#include "metadata/postgres/listener.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresJobs final : public Jobs {
  public:
    PostgresJobs(Pool& pool, GroupWriter& writer, Listener& listener, GivenTime time)
        : pool_(pool), writer_(writer), listener_(listener), time_(time) {}
    Result<Submitted> submit(const Submission& submission) override;
    Result<std::optional<Job>> find(Uuid account_id, Uuid id) override;
    Result<std::optional<IdempotentJob>> find_idempotent(Uuid account_id, std::string_view key) override;
    Result<std::optional<CancelledJob>> cancel(Uuid account_id, Uuid id) override;
    Result<JobCounts> counts() override;

  private:
    Pool& pool_;
    GroupWriter& writer_;
    Listener& listener_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
