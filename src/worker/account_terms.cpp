#include "worker/account_terms.hpp"

#include "metadata/accounts.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"

namespace tessera::worker {

Result<PlanLimits> AccountTerms::of(const Uuid& account) {
    const std::uint64_t now = store_.change_counter();
    {
        const std::lock_guard lock(mutex_);
        if (as_of_ != now || known_.size() >= most_kept) known_.clear();
        as_of_ = now;
        if (const auto found = known_.find(account); found != known_.end()) return found->second;
    }
    auto row = store_.accounts().find(account);
    if (!row) return std::move(row).error();
    if (!*row) return internal_error("a job's account is gone");
    auto plan = store_.plans().find((*row)->plan_code);
    if (!plan) return std::move(plan).error();
    if (!*plan) return internal_error("the plan " + (*row)->plan_code + " is gone");

    const std::lock_guard lock(mutex_);
    if (as_of_ == now) known_.insert_or_assign(account, (*plan)->limits);
    return (*plan)->limits;
}

}  // namespace tessera::worker
