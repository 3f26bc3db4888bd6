// The plans that accounts can be on.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/plan.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

class Plans {
  public:
    virtual ~Plans() = default;

    virtual Result<std::vector<Plan>> all() = 0;  // in the order in which they were applied
    virtual Result<std::optional<Plan>> find(std::string_view code) = 0;

    // Makes these the plans in force. A plan that is not among them stays for the accounts that are on it, as
    // status "retired" and no longer public; with no account on it, it goes.
    virtual Result<void> apply(std::span<const Plan> plans) = 0;
};

}  // namespace tessera::metadata
