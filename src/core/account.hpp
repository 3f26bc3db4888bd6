// Who uses the service: accounts, their keys, their entitlements and what they have used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/network.hpp"
#include "core/uuid.hpp"

namespace tessera {

struct Account {
    Uuid id;
    std::string slug;
    std::string display_name;
    std::string plan_code;
    std::string access_source;    // how the plan was given: "admin" or "demo"
    Timestamp plan_activated_at;  // billing periods of 30 days start here
    Timestamp created_at;
    std::optional<Timestamp> suspended_at;
    std::optional<Timestamp> erasure_begun_at;
    std::optional<Timestamp> erased_at;
};

struct ApiKey {
    Uuid id;
    Uuid account_id;
    std::string name;
    std::string role_code;
    Timestamp created_at;
    std::optional<Timestamp> revoked_at;
    std::optional<Timestamp> expires_at;
    std::optional<Timestamp> last_used_at;  // to about a minute
    NetworkList networks;                   // where it may be used from; empty: anywhere

    [[nodiscard]] bool expired(Timestamp now) const { return expires_at && *expires_at <= now; }
};

struct Entitlement {
    std::string feature_code;
    bool enabled = false;
    std::string status;    // "active" or "inactive"
    std::string source;    // who granted it: "admin", "plan"
    std::string provider;  // "tessera"
    std::string add_on_code;
    bool cancel_at_period_end = false;
};

// One billing period of an account.
struct CreditPeriod {
    Timestamp starts_at;
    Timestamp ends_at;
};

inline constexpr std::chrono::days billing_period{30};

// The period that `now` falls into, counted from the plan's activation.
inline CreditPeriod credit_period_at(Timestamp activated_at, Timestamp now) {
    const auto whole = now < activated_at ? 0 : (now - activated_at) / billing_period;
    const Timestamp start = activated_at + whole * billing_period;
    return {start, start + billing_period};
}

}  // namespace tessera
