// The queue in PostgreSQL.
#pragma once

#include "metadata/postgres/group_writer.hpp"
#include "metadata/postgres/listener.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "metadata/queue.hpp"

namespace tessera::metadata::postgres {

class PostgresQueue final : public Queue {
  public:
    PostgresQueue(Pool& pool, GroupWriter& writer, Listener& listener, GivenTime time)
        : pool_(pool), writer_(writer), listener_(listener), time_(time) {}
    Result<std::vector<ClaimedJob>> claim(const ClaimRequest& request) override;
    Result<std::vector<LeaseAnswer>> renew(std::span<const LeaseRenewal> renewals, Millis lease) override;
    Result<CompleteAnswer> complete(const Lease& lease, const Completion& completion) override;
    Result<FailAnswer> fail(const Lease& lease, const JobError& error, std::optional<Millis> retry_after) override;
    Result<std::vector<LeaseAnswer>> release(std::span<const Lease> leases) override;
    Result<int> end_leases_of(std::span<const std::string> dead_workers) override;
    Result<std::optional<Millis>> next_due() override;

  private:
    Result<std::vector<ClaimedJob>> claim_lane(const ClaimRequest& request, Lane lane, int max_jobs);

    Pool& pool_;
    GroupWriter& writer_;
    Listener& listener_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
