// What /metrics shows: everything that was added, in Prometheus' text format.
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
    // A collectable that is gone is left out. Collecting must not block: it happens on a loop.
    void add(const std::shared_ptr<prometheus::Collectable>& collectable);
    [[nodiscard]] std::string text() const;

  private:
    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<prometheus::Collectable>> collectables_;
};

}  // namespace tessera::http
