// Rate counters in PostgreSQL.
#pragma once

#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "metadata/rate_counters.hpp"

namespace tessera::metadata::postgres {

class PostgresRateCounters final : public RateCounters {
  public:
    PostgresRateCounters(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<std::vector<RateTotal>> add(std::span<const RateDelta> deltas) override;

  private:
    Pool& pool_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
