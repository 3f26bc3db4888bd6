// What accounts have used: processing credits, as a ledger that adds up, and bytes delivered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/account.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

// A charge (positive) when a job is accepted, or its return (negative) when the service failed it. Never changed.
struct LedgerEntry {
    std::int64_t sequence = 0;  // rises
    Uuid account_id;
    Uuid job_id;
    std::int64_t credits = 0;
    Timestamp period_starts_at;  // the period that the charge fell into; a return goes to the same one
    Timestamp at;
};

struct PeriodUsage {
    CreditPeriod period;
    std::int64_t credits_used = 0;  // always the sum of the period's ledger entries
    std::int64_t delivered_bytes = 0;
};

struct DeliveredBytes {
    Uuid account_id;
    std::int64_t bytes = 0;
};

struct StorageUse {
    std::int64_t bytes = 0;  // of all blobs that the account's rows name, each once
    std::int64_t assets = 0;
    bool operator==(const StorageUse&) const = default;
};

class Usage {
  public:
    virtual ~Usage() = default;

    // The account's current period. `not_found` when there is no such account.
    virtual Result<PeriodUsage> current(Uuid account_id) = 0;
    // All periods with any use, newest first.
    virtual Result<std::vector<PeriodUsage>> history(Uuid account_id) = 0;
    // Entries after `sequence`, in order, `limit` at most.
    virtual Result<std::vector<LedgerEntry>> ledger(Uuid account_id, std::int64_t after_sequence, int limit) = 0;

    // What the account keeps, as it was counted with every change. `not_found` when there is no such account.
    virtual Result<StorageUse> storage(Uuid account_id) = 0;
    // Of all accounts together, for metrics.
    virtual Result<StorageUse> storage_of_all() = 0;
    // Counts it anew from the rows, and goes on from there.
    virtual Result<StorageUse> recount_storage(Uuid account_id) = 0;

    // Adds to the accounts' current periods. Accounts that are gone are passed over. Call it every few seconds with
    // what has gathered, not per request.
    virtual Result<void> add_delivered_bytes(std::span<const DeliveredBytes> delivered) = 0;
};

}  // namespace tessera::metadata
