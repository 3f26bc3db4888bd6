#include "http/api/plan_json.hpp"

namespace tessera::http {
namespace {

boost::json::object limits_of(const PlanLimits& limits) {
    boost::json::object object;
    for (const PlanLimitField& field : plan_limit_fields()) {
        if (const auto& limit = limits.*field.member) object[field.name] = *limit;
    }
    return object;
}

}  // namespace

boost::json::object plan_object(const Plan& plan) {
    return {{"code", plan.code},
            {"display_name", plan.display_name},
            {"description", plan.description},
            {"status", plan.status},
            {"is_public", plan.is_public},
            {"billing_amount_minor", plan.billing_amount_minor},
            {"billing_interval", plan.billing_interval},
            {"included_processing_credits", plan.included_processing_credits},
            {"limits", limits_of(plan.limits)}};
}

}  // namespace tessera::http
