// The numbers of the parts below HTTP, for /metrics: engines, sandbox, worker and folds.
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <vector>

namespace tessera::engine {
class Pool;
}
namespace tessera::service {
class StackKeeper;
}
namespace tessera::worker {
class Worker;
}

namespace tessera::app {

class NodeMetrics final : public prometheus::Collectable {
  public:
    // All outlive it; there may be no worker and nobody who folds.
    NodeMetrics(const engine::Pool& engines, const worker::Worker* worker, const service::StackKeeper* stacks)
        : engines_(engines), worker_(worker), stacks_(stacks) {}

    [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override;

  private:
    const engine::Pool& engines_;
    const worker::Worker* worker_;
    const service::StackKeeper* stacks_;
};

}  // namespace tessera::app
