#include "service/access/entitlement_list.hpp"

#include <algorithm>
#include <string>

#include "service/access/principal.hpp"

namespace tessera::service {
namespace {

constexpr std::string_view features[] = {cdn_delivery_feature, asset_pictures_feature};

}  // namespace

std::span<const std::string_view> known_features() {
    return features;
}

bool is_known_feature(std::string_view feature_code) {
    return std::find(std::begin(features), std::end(features), feature_code) != std::end(features);
}

Entitlement granted_by_admin(std::string_view feature_code, bool enabled) {
    return {.feature_code = std::string(feature_code),
            .enabled = enabled,
            .status = enabled ? "active" : "inactive",
            .source = "admin",
            .provider = "tessera",
            .add_on_code = std::string(feature_code),
            .cancel_at_period_end = false};
}

std::vector<Entitlement> with_every_feature(std::vector<Entitlement> entitlements) {
    for (const std::string_view feature : features) {
        const bool there = std::any_of(entitlements.begin(), entitlements.end(),
                                       [&](const Entitlement& e) { return e.feature_code == feature; });
        if (there) continue;
        entitlements.push_back({.feature_code = std::string(feature),
                                .enabled = false,
                                .status = "inactive",
                                .source = "none",
                                .provider = "tessera",
                                .add_on_code = std::string(feature),
                                .cancel_at_period_end = false});
    }
    return entitlements;
}

}  // namespace tessera::service
