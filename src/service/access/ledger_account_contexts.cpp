#include "service/access/ledger_account_contexts.hpp"

#include <algorithm>

#include "metadata/usage.hpp"

namespace tessera::service {
namespace {

std::vector<Quota> quotas_of(const Plan& plan) {
    std::vector<Quota> quotas;
    quotas.reserve(1 + plan_limit_fields().size());
    quotas.push_back(
        {"processing_credits_monthly", plan.included_processing_credits, std::chrono::seconds(billing_period).count()});
    for (const PlanLimitField& field : plan_limit_fields()) {
        if (const auto& limit = plan.limits.*field.member) quotas.push_back({field.name, *limit, std::nullopt});
    }
    return quotas;
}

EffectiveLimits effective_limits_of(const Plan& plan, const ServiceCeilings& service) {
    const PlanLimits& caps = plan.limits;
    const auto smaller = [](const std::optional<std::int64_t>& cap, std::int64_t of_service) {
        return std::min(cap.value_or(of_service), of_service);
    };
    return {.grid_megapixels = smaller(caps.max_grid_render_megapixels, service.grid_megapixels),
            .tile_estimate = smaller(caps.max_generated_tiles_per_job, service.generated_tiles),
            .storage_estimate_bytes = service.storage.bytes_for(caps),
            .processing_credits = plan.included_processing_credits};
}

}  // namespace

Result<AccountContext> LedgerAccountContexts::read(PrincipalPtr principal) {
    const Result<metadata::PeriodUsage> usage = usage_.current(principal->account.id);
    if (!usage) return usage.error();

    const Plan& plan = principal->plan;
    AccountContext context;
    context.quotas = quotas_of(plan);
    context.effective_limits = effective_limits_of(plan, ceilings_);
    context.credits_used = usage->credits_used;
    context.credits_limit = plan.included_processing_credits;
    // A plan that shrank within a period can leave more used than it includes.
    context.credits_remaining = std::max<std::int64_t>(0, context.credits_limit - context.credits_used);
    context.cdn_delivery_bytes_used = usage->delivered_bytes;
    context.principal = std::move(principal);
    return context;
}

}  // namespace tessera::service
