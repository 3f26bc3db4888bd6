// PlanCatalogue over the metadata store: read once, and again when the store says that plans changed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "service/access/plan_catalogue.hpp"

namespace tessera::metadata {
class Store;
class Subscription;
}  // namespace tessera::metadata

namespace tessera::service {

class StoredPlanCatalogue final : public PlanCatalogue {
  public:
    explicit StoredPlanCatalogue(metadata::Store& store);
    ~StoredPlanCatalogue() override;

    PlanList cached_public_plans() const override;
    Result<PlanList> public_plans() override;

  private:
    metadata::Store& store_;
    mutable std::mutex mutex_;
    PlanList kept_;
    std::uint64_t epoch_ = 0;
    std::unique_ptr<metadata::Subscription> subscription_;  // last: ends before what its callback uses
};

}  // namespace tessera::service
