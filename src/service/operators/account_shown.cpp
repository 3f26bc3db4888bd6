#include <boost/json/value_from.hpp>

#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;

std::string_view state_of(const Account& account) {
    if (account.erased_at) return "erased";
    if (account.erasure_begun_at) return "being_erased";
    return account.suspended_at ? "suspended" : "active";
}

std::string_view state_of(const ApiKey& key, Timestamp now) {
    if (key.revoked_at) return "revoked";
    return key.expired(now) ? "expired" : "active";
}

json::object limits_of(const PlanLimits& limits) {
    json::object object;
    for (const PlanLimitField& field : plan_limit_fields()) {
        if (const auto& limit = limits.*field.member) object[field.name] = *limit;
    }
    return object;
}

}  // namespace

json::value time_or_null(const std::optional<Timestamp>& time) {
    return time ? json::value(to_iso8601(*time)) : json::value();
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}

json::value text_or_null(const std::optional<std::string>& text) {
    return text ? json::value(*text) : json::value();
}

json::object shown(const Account& account) {
    return {{"id", account.id.to_string()},
            {"slug", account.slug},
            {"display_name", account.display_name},
            {"plan", account.plan_code},
            {"access_source", account.access_source},
            {"state", state_of(account)},
            {"suspended_at", time_or_null(account.suspended_at)},
            {"plan_activated_at", to_iso8601(account.plan_activated_at)},
            {"created_at", to_iso8601(account.created_at)}};
}

json::object shown(const ApiKey& key, const std::string& account_slug, Timestamp now) {
    return {{"id", key.id.to_string()},
            {"account", account_slug},
            {"account_id", key.account_id.to_string()},
            {"name", key.name},
            {"role_code", key.role_code},
            {"networks", json::value_from(key.networks.to_strings())},
            {"created_at", to_iso8601(key.created_at)},
            {"expires_at", time_or_null(key.expires_at)},
            {"last_used_at", time_or_null(key.last_used_at)},
            {"revoked_at", time_or_null(key.revoked_at)},
            {"state", state_of(key, now)}};
}

json::object shown(const Entitlement& entitlement) {
    return {{"feature_code", entitlement.feature_code},
            {"enabled", entitlement.enabled},
            {"status", entitlement.status},
            {"source", entitlement.source},
            {"provider", entitlement.provider},
            {"add_on_code", entitlement.add_on_code},
            {"cancel_at_period_end", entitlement.cancel_at_period_end}};
}

json::object shown(const Plan& plan) {
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

}  // namespace tessera::service
