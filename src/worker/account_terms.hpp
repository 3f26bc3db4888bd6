// What an account's plan says about the jobs that run for it. Kept in memory until something about accounts or plans
// changes, so that a job costs no extra reads.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "core/plan.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::worker {

class AccountTerms {
  public:
    explicit AccountTerms(metadata::Store& store) : store_(store) {}

    [[nodiscard]] Result<PlanLimits> of(const Uuid& account);

  private:
    static constexpr std::size_t most_kept = 10'000;

    metadata::Store& store_;
    std::mutex mutex_;
    std::uint64_t as_of_ = 0;
    std::unordered_map<Uuid, PlanLimits> known_;
};

}  // namespace tessera::worker
