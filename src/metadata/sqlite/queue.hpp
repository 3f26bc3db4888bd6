// The queue in SQLite.
#pragma once

#include "metadata/queue.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteQueue final : public Queue {
  public:
    SqliteQueue(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
    Result<std::vector<ClaimedJob>> claim(const ClaimRequest& request) override;
    Result<std::vector<LeaseAnswer>> renew(std::span<const LeaseRenewal> renewals, Millis lease) override;
    Result<CompleteAnswer> complete(const Lease& lease, const Completion& completion) override;
    Result<FailAnswer> fail(const Lease& lease, const JobError& error, std::optional<Millis> retry_after) override;
    Result<std::vector<LeaseAnswer>> release(std::span<const Lease> leases) override;
    Result<int> end_leases_of(std::span<const std::string> dead_workers) override;
    Result<std::optional<Millis>> next_due() override;

  private:
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
