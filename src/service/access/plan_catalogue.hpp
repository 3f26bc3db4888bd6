// The plans that anybody may see.
#pragma once

#include <memory>
#include <vector>

#include "core/plan.hpp"
#include "core/result.hpp"

namespace tessera::service {

using PlanList = std::shared_ptr<const std::vector<Plan>>;

class PlanCatalogue {
  public:
    virtual ~PlanCatalogue() = default;

    // From memory alone; null when public_plans() has to be asked.
    [[nodiscard]] virtual PlanList cached_public_plans() const = 0;
    // May query. Public plans, cheapest first. The same pointer comes back until a plan changes, so what was made from
    // it may be kept beside it.
    [[nodiscard]] virtual Result<PlanList> public_plans() = 0;
};

}  // namespace tessera::service
