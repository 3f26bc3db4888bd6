// How much an account may keep: the smaller of what its plan allows and what this service is configured to take.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/plan.hpp"

namespace tessera::service {

// Configuration keys under "storage." of the same names.
struct StorageConfig {
    std::int64_t max_account_bytes = std::int64_t{10} << 40;
    std::int64_t max_account_assets = 10'000'000;
    std::int64_t min_free_bytes = std::int64_t{256} << 20;

    [[nodiscard]] std::int64_t bytes_for(const PlanLimits& plan) const {
        return std::min(plan.max_storage_bytes.value_or(max_account_bytes), max_account_bytes);
    }
    [[nodiscard]] std::int64_t assets_for(const PlanLimits& plan) const {
        return std::min(plan.max_assets.value_or(max_account_assets), max_account_assets);
    }
};

// What is left of it.
struct Room {
    std::int64_t bytes = 0;
    std::int64_t assets = 0;

    [[nodiscard]] bool takes(std::int64_t size) const { return assets > 0 && bytes >= size; }
};

}  // namespace tessera::service
