// What an account may use beyond its plan, such as `cdn_delivery`.
#pragma once

#include <vector>

#include "core/account.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

class Entitlements {
  public:
    virtual ~Entitlements() = default;

    virtual Result<std::vector<Entitlement>> list(Uuid account_id) = 0;  // by feature code
    // Adds the entitlement or replaces the one of the same feature. `not_found` when there is no such account.
    virtual Result<void> set(Uuid account_id, const Entitlement& entitlement) = 0;
};

}  // namespace tessera::metadata
