// What accounts use, by day (UTC). Triggers count in the transactions that change things, so that to read is to add up
// a few rows for each day, however many jobs there were.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

struct OperationUse {
    std::string operation;
    std::int64_t submitted = 0;
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    std::int64_t cancelled = 0;
    std::int64_t credits = 0;  // charged less given back
};

struct DayUse {
    std::chrono::sys_days day;
    std::vector<OperationUse> operations;  // by name; one without a name holds charges of jobs that are gone
    std::int64_t uploads = 0;
    std::int64_t uploaded_bytes = 0;
    std::int64_t delivered_bytes = 0;
};

class DailyUse {
  public:
    virtual ~DailyUse() = default;

    // Days with any use, oldest first, from `first` to `last`; of all accounts together where none is named.
    virtual Result<std::vector<DayUse>> days(std::optional<Uuid> account_id, std::chrono::sys_days first,
                                             std::chrono::sys_days last) = 0;
    // Removes what was counted on days before `day`, up to `limit` rows of each kind. Returns how many; 0 when none are
    // left.
    virtual Result<int> forget_before(std::chrono::sys_days day, int limit) = 0;
};

}  // namespace tessera::metadata
