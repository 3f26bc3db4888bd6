#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "http/api/account_routes.hpp"
#include "service/access/account_context.hpp"
#include "service/operators/shown.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

json::array permissions_of(const service::Principal& principal) {
    json::array permissions;
    for (const Permission permission : principal.role->permissions) permissions.emplace_back(to_string(permission));
    return permissions;
}

json::object quotas_of(const std::vector<service::Quota>& quotas) {
    json::object object;
    for (const service::Quota& quota : quotas) {
        json::object entry{{"limit", quota.limit}};
        if (quota.interval_seconds) entry["interval_seconds"] = *quota.interval_seconds;
        object[quota.name] = std::move(entry);
    }
    return object;
}

json::object features_of(const service::Principal& principal) {
    json::object features;
    for (const Entitlement& entitlement : principal.entitlements)
        features[entitlement.feature_code] = entitlement.enabled;
    return features;
}

json::object entitlements_of(const service::Principal& principal) {
    json::object object;
    for (const Entitlement& entitlement : principal.entitlements) {
        object[entitlement.feature_code] = json::object{{"enabled", entitlement.enabled},
                                                        {"feature_code", entitlement.feature_code},
                                                        {"status", entitlement.status},
                                                        {"source", entitlement.source},
                                                        {"provider", entitlement.provider},
                                                        {"add_on_code", entitlement.add_on_code},
                                                        {"cancel_at_period_end", entitlement.cancel_at_period_end}};
    }
    return object;
}

}  // namespace

std::string plans_json(const std::vector<Plan>& plans) {
    json::array list;
    for (const Plan& plan : plans) list.push_back(service::shown(plan));
    return json::serialize(json::object{{"plans", std::move(list)}});
}

std::string account_json(const service::AccountContext& context) {
    const service::Principal& principal = *context.principal;
    const service::EffectiveLimits& limits = context.effective_limits;
    return json::serialize(json::object{
        {"account", json::object{{"id", principal.account.id.to_string()},
                                 {"slug", principal.account.slug},
                                 {"display_name", principal.account.display_name}}},
        {"subject_type", context.subject_type},
        {"api_key", json::object{{"id", principal.key.id.to_string()},
                                 {"name", principal.key.name},
                                 {"role_code", principal.key.role_code}}},
        {"permissions", permissions_of(principal)},
        {"plan", json::object{{"code", principal.plan.code},
                              {"display_name", principal.plan.display_name},
                              {"status", principal.plan.status},
                              {"access_source", principal.account.access_source}}},
        {"quotas", quotas_of(context.quotas)},
        {"effective_limits", json::object{{"grid_megapixels", limits.grid_megapixels},
                                          {"tile_estimate", limits.tile_estimate},
                                          {"storage_estimate_bytes", limits.storage_estimate_bytes},
                                          {"processing_credits", limits.processing_credits}}},
        {"usage", json::object{{"processing_credits", json::object{{"used", context.credits_used},
                                                                   {"remaining", context.credits_remaining},
                                                                   {"limit", context.credits_limit}}},
                               {"cdn_delivery_bytes", json::object{{"used", context.cdn_delivery_bytes_used}}}}},
        {"features", features_of(principal)},
        {"entitlements", entitlements_of(principal)}});
}

}  // namespace tessera::http
