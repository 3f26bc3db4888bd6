// The features that can be granted, and an account's entitlements completed with those that it was not granted.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/account.hpp"

namespace tessera::service {

std::span<const std::string_view> known_features();
bool is_known_feature(std::string_view feature_code);

// An entitlement as an administrator sets it.
Entitlement granted_by_admin(std::string_view feature_code, bool enabled);
// Adds an inactive entry for each known feature that has none.
std::vector<Entitlement> with_every_feature(std::vector<Entitlement> entitlements);

}  // namespace tessera::service
