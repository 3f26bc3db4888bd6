// What operators look at over all accounts: lists to search in, and counts for an overview.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/account.hpp"
#include "metadata/audit.hpp"
#include "metadata/lists.hpp"
#include "metadata/usage.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::metadata {

enum class AccountState { active, suspended, being_erased, erased };

struct AccountFilter {
    std::string text = {};  // a part of the slug or the name, whatever its case; empty: all
    std::optional<AccountState> state = {};
    std::optional<std::string> plan_code = {};
    std::optional<Uuid> id = {};
};

struct AccountUse {
    Account account;
    PeriodUsage usage;  // of its current period
    StorageUse storage;
};

struct AccountCounts {
    std::int64_t active = 0;
    std::int64_t suspended = 0;
    std::int64_t being_erased = 0;
};

struct OperationBacklog {
    std::string operation;
    std::int64_t queued = 0;
    std::int64_t running = 0;
    std::optional<Millis> oldest;  // how long ago the oldest that is queued was accepted
};

struct DeliveryFilter {
    std::optional<Uuid> account_id = {};
    std::optional<Uuid> endpoint_id = {};
    std::optional<DeliveryState> state = {};
};

class OperatorViews {
  public:
    virtual ~OperatorViews() = default;

    // Newest first.
    virtual Result<Listed<AccountUse>> accounts(const AccountFilter& filter, const Page& page) = 0;
    virtual Result<AccountCounts> account_counts() = 0;
    virtual Result<std::map<std::string, std::int64_t>> accounts_by_plan() = 0;  // but those that were erased
    virtual Result<std::vector<OperationBacklog>> backlog() = 0;                 // by operation
    // Newest first. A page goes on below the delivery that it names; nothing does below one that is gone.
    virtual Result<Listed<WebhookDelivery>> deliveries(const DeliveryFilter& filter, const Page& page) = 0;
    // Newest first, those below `before`.
    virtual Result<std::vector<AuditEntry>> audit(std::optional<Uuid> account_id, std::optional<std::int64_t> before,
                                                  int limit) = 0;
};

}  // namespace tessera::metadata
