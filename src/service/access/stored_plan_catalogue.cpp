#include "service/access/stored_plan_catalogue.hpp"

#include <algorithm>

#include "metadata/plans.hpp"
#include "metadata/store.hpp"

namespace tessera::service {

StoredPlanCatalogue::StoredPlanCatalogue(metadata::Store& store) : store_(store) {
    subscription_ = store_.on_change([this](const metadata::Change& change) {
        if (change.kind != metadata::Change::Kind::plans && change.kind != metadata::Change::Kind::everything) return;
        const std::lock_guard lock(mutex_);
        ++epoch_;
        kept_ = nullptr;
    });
}

StoredPlanCatalogue::~StoredPlanCatalogue() = default;

PlanList StoredPlanCatalogue::cached_public_plans() const {
    const std::lock_guard lock(mutex_);
    return kept_;
}

Result<PlanList> StoredPlanCatalogue::public_plans() {
    std::uint64_t epoch_before = 0;
    {
        const std::lock_guard lock(mutex_);
        if (kept_) return kept_;
        epoch_before = epoch_;
    }

    Result<std::vector<Plan>> all = store_.plans().all();
    if (!all) return reworded(all.error(), ErrorCode::internal_error, "failed to load plans");
    std::vector<Plan> plans = std::move(*all);
    std::erase_if(plans, [](const Plan& plan) { return !plan.is_public; });
    std::stable_sort(plans.begin(), plans.end(),
                     [](const Plan& a, const Plan& b) { return a.billing_amount_minor < b.billing_amount_minor; });
    auto list = std::make_shared<const std::vector<Plan>>(std::move(plans));

    const std::lock_guard lock(mutex_);
    if (epoch_ == epoch_before) kept_ = list;
    return PlanList(list);
}

}  // namespace tessera::service
