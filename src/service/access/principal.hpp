// Who a request speaks for: a key, its role, and the account with its plan and entitlements as they were when
// the identity was last read. Immutable and shared, so a request copies a pointer and nothing else.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "core/account.hpp"
#include "core/permission.hpp"
#include "core/plan.hpp"

namespace tessera::service {

inline constexpr std::string_view cdn_delivery_feature = "cdn_delivery";
inline constexpr std::string_view asset_pictures_feature = "asset_pictures";  // IIIF of assets

// Whether requests were admitted with an identity since somebody last asked. Written at most once between two
// questions, so that cores which serve the same key do not wait for each other.
class UseMark {
  public:
    UseMark() = default;
    // Of another identity: its use is not ours.
    UseMark(const UseMark& /*other*/) {}
    UseMark& operator=(const UseMark& /*other*/) { return *this; }
    ~UseMark() = default;

    void set() const {
        if (!set_.load(std::memory_order_relaxed)) set_.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool take() const { return set_.exchange(false, std::memory_order_relaxed); }

  private:
    mutable std::atomic<bool> set_{false};
};

struct Principal {
    Account account;
    ApiKey key;
    const Role* role = nullptr;  // never null in a principal that an Authenticator returned
    Plan plan;
    std::vector<Entitlement> entitlements;  // one for every known feature, granted or not
    UseMark use = {};

    [[nodiscard]] bool may(Permission permission) const { return role != nullptr && role->allows(permission); }
    [[nodiscard]] bool has_feature(std::string_view feature_code) const {
        for (const Entitlement& entitlement : entitlements) {
            if (entitlement.feature_code == feature_code) return entitlement.enabled;
        }
        return false;
    }
};

using PrincipalPtr = std::shared_ptr<const Principal>;

}  // namespace tessera::service
