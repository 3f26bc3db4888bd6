// The server's own numbers, for Prometheus: summed over the loops when they are asked for.
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <mutex>
#include <vector>

#include "http/metrics/exemplar_source.hpp"
#include "http/server/stats.hpp"

namespace tessera::http {

struct Common;

class ServerMetrics final : public prometheus::Collectable, public ExemplarSource {
  public:
    explicit ServerMetrics(const Common& common);
    void add(std::shared_ptr<const LoopStats> loop);
    void detach();  // the server is gone: nothing more to tell

    [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override;
    [[nodiscard]] std::vector<SeriesExemplars> exemplars() const override;

  private:
    mutable std::mutex mutex_;
    const Common* common_;
    std::vector<std::shared_ptr<const LoopStats>> loops_;
};

}  // namespace tessera::http
