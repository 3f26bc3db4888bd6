// What GET /v1/account tells: the caller's account, plan, quotas, limits in effect, usage and entitlements.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

struct Quota {
    std::string_view name;  // points to a constant
    std::int64_t limit = 0;
    std::optional<std::int64_t> interval_seconds;  // for quotas that refill
};

// The smaller of what the plan allows and what this service is configured to take, so always a number.
struct EffectiveLimits {
    std::int64_t grid_megapixels = 0;
    std::int64_t tile_estimate = 0;
    std::int64_t storage_estimate_bytes = 0;
    std::int64_t processing_credits = 0;
};

struct AccountContext {
    PrincipalPtr principal;
    std::string_view subject_type = "api_key";
    std::vector<Quota> quotas;
    EffectiveLimits effective_limits;
    std::int64_t credits_used = 0;
    std::int64_t credits_remaining = 0;
    std::int64_t credits_limit = 0;
    std::int64_t cdn_delivery_bytes_used = 0;
};

class AccountContexts {
  public:
    virtual ~AccountContexts() = default;

    // One read of the ledger, exact at that instant; everything else comes from the principal.
    [[nodiscard]] virtual Result<AccountContext> read(PrincipalPtr principal) = 0;
};

}  // namespace tessera::service
