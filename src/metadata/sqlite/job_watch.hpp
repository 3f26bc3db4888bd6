// What has changed of jobs, from SQLite.
#pragma once

#include "metadata/job_watch.hpp"
#include "metadata/sqlite/readers.hpp"

namespace tessera::metadata::sqlite {

class SqliteJobWatch final : public JobWatch {
  public:
    SqliteJobWatch(Readers& readers, const Clock& clock) : readers_(readers), clock_(clock) {}
    Result<ChangedJobs> changed_since(std::span<const Uuid> accounts, Timestamp since, int at_most) override;
    Result<std::vector<Job>> find_all(std::span<const Uuid> ids) override;
    Result<std::vector<Uuid>> in_flight(std::span<const Uuid> ids) override;

  private:
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
