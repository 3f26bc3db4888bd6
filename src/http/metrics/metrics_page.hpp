// What /metrics shows: everything that was added, in Prometheus' text format or, with exemplars, in that of
// OpenMetrics.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace prometheus {
class Collectable;
}

namespace tessera::http {

class MetricsPage {
  public:
    // A collectable that is gone is left out. Collecting must not block: it happens on a loop. One that is an
    // ExemplarSource too is asked for them.
    void add(const std::shared_ptr<prometheus::Collectable>& collectable);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string open_metrics() const;

  private:
    [[nodiscard]] std::vector<std::shared_ptr<prometheus::Collectable>> those_there() const;

    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<prometheus::Collectable>> collectables_;
};

}  // namespace tessera::http
