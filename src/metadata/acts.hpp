// The acts of more than a line, the same for every database.
#pragma once

#include <span>

#include "core/plan.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/audit.hpp"

namespace tessera::metadata {

// Neither the key's hash nor its name.
inline Act key_made(const Uuid& id, const NewApiKey& key) {
    std::string networks;
    for (const std::string& network : key.networks.to_strings()) (networks += networks.empty() ? "" : ",") += network;
    return {"key.create", key.account_id, id.to_string(),
            act_details({{"role", key.role_code},
                         {"expires_at", key.expires_at ? to_iso8601(*key.expires_at) : std::string("never")},
                         {"networks", networks.empty() ? std::string("any") : networks}})};
}

inline Act entitlement_set(const Uuid& account_id, const Entitlement& entitlement) {
    return {"entitlement.set",
            account_id,
            {},
            act_details({{"feature", entitlement.feature_code}, {"enabled", entitlement.enabled}})};
}

inline Act plans_applied(std::span<const Plan> plans) {
    std::string codes;
    for (const Plan& plan : plans) (codes += codes.empty() ? "" : ",") += plan.code;
    return {"plan.apply", {}, {}, act_details({{"plans", codes}})};
}

}  // namespace tessera::metadata
