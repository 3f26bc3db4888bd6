// Submission and reading of jobs in SQLite.
#pragma once

#include "metadata/jobs.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteJobs final : public Jobs {
  public:
    SqliteJobs(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
    Result<Submitted> submit(const Submission& submission) override;
    Result<std::optional<Job>> find(Uuid account_id, Uuid id) override;
    Result<std::optional<IdempotentJob>> find_idempotent(Uuid account_id, std::string_view key) override;
    Result<std::optional<CancelledJob>> cancel(Uuid account_id, Uuid id) override;
    Result<JobCounts> counts() override;

  private:
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
