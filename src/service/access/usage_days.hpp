// An account's use by day, as its owner and operators see it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {
class DailyUse;
}

namespace tessera::service {

inline constexpr int default_usage_days = 30;
inline constexpr int most_usage_days = 90;

struct UsageOfOperation {
    std::string operation;
    std::int64_t submitted = 0;
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    std::int64_t cancelled = 0;
    std::int64_t processing_credits = 0;
};

struct UsageSums {
    std::vector<UsageOfOperation> jobs;  // by operation
    std::int64_t processing_credits = 0;
    std::int64_t uploads = 0;
    std::int64_t uploaded_bytes = 0;
    std::int64_t delivered_bytes = 0;
};

struct UsageHistory {
    struct Day {
        std::chrono::sys_days date;
        UsageSums sums;
    };
    std::vector<Day> days;  // every one, oldest first; the last is today
    UsageSums totals;
};

class UsageHistories {
  public:
    virtual ~UsageHistories() = default;
    // `days` as it stands in the address; of all accounts where none is named.
    virtual Result<UsageHistory> read(std::optional<Uuid> account_id, std::optional<std::string_view> days) = 0;
};

class UsageDays final : public UsageHistories {
  public:
    UsageDays(metadata::DailyUse& uses, const Clock& clock) : uses_(uses), clock_(clock) {}
    Result<UsageHistory> read(std::optional<Uuid> account_id, std::optional<std::string_view> days) override;

  private:
    metadata::DailyUse& uses_;
    const Clock& clock_;
};

}  // namespace tessera::service
