// What operators ask a node: /healthz, /readyz and /metrics.
#pragma once

#include <memory>
#include <vector>

#include "http/api/readiness_watch.hpp"
#include "http/metrics/metrics_page.hpp"
#include "http/routing/route.hpp"
#include "http/server/config.hpp"
#include "service/upkeep/readiness.hpp"

namespace tessera::app {

class Node;

class Operational {
  public:
    explicit Operational(Node& node);
    Operational(const Operational&) = delete;
    Operational& operator=(const Operational&) = delete;

    // Anybody may read /metrics where there is an address for operators.
    [[nodiscard]] std::vector<http::Route> routes(const http::ServerConfig& config) const;
    [[nodiscard]] http::MetricsPage& metrics() { return *metrics_; }
    [[nodiscard]] const http::ReadinessWatch& readiness() const { return *watch_; }
    void start_draining();  // not ready from now on

  private:
    service::Readiness parts_;
    std::shared_ptr<http::MetricsPage> metrics_;
    std::shared_ptr<http::ReadinessWatch> watch_;
};

}  // namespace tessera::app
