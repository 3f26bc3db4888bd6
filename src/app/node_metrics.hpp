// The numbers of the parts below HTTP, for /metrics: engines, sandbox and worker.
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <vector>

namespace tessera::engine {
class Pool;
}
namespace tessera::worker {
class Worker;
}

namespace tessera::app {

class NodeMetrics final : public prometheus::Collectable {
  public:
    // Both outlive it; there may be no worker.
    NodeMetrics(const engine::Pool& engines, const worker::Worker* worker) : engines_(engines), worker_(worker) {}

    [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override;

  private:
    const engine::Pool& engines_;
    const worker::Worker* worker_;
};

}  // namespace tessera::app
