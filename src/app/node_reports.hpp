// What a node says of itself every ten seconds, in the database, so that operators see all nodes from any of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "app/node.hpp"
#include "core/periodic_thread.hpp"

namespace prometheus {
class Collectable;
}

namespace tessera::app {

class NodeReports {
  public:
    // The node outlives it. `http` counts requests; null on a node that takes none.
    NodeReports(const Node& node, NodeRole role, std::shared_ptr<prometheus::Collectable> http);

    void start();
    // The node says that it leaves. Safe twice.
    void stop();

  private:
    struct Counts {
        std::chrono::steady_clock::time_point at;
        double requests = 0;
        double ended = 0;
        double failed = 0;
    };
    void say();
    [[nodiscard]] std::string report();

    const Node& node_;
    const NodeRole role_;
    const std::shared_ptr<prometheus::Collectable> http_;
    const Timestamp started_at_;
    std::deque<Counts> counts_;  // of the last minute
    PeriodicThread thread_;
};

}  // namespace tessera::app
