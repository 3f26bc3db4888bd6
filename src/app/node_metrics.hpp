// The numbers of the parts below HTTP, for /metrics.
#pragma once

#include <prometheus/collectable.h>

#include <cstdint>
#include <vector>

#include "app/sampler.hpp"
#include "http/metrics/exemplar_source.hpp"

namespace tessera::http {
class ReadinessWatch;
}

namespace tessera::webhooks {
struct WebhookMeters;
}

namespace tessera::app {

class Api;
class Node;

class NodeMetrics final : public prometheus::Collectable, public http::ExemplarSource {
  public:
    // All outlive it; a worker node has no API, sends no webhooks and sweeps nothing.
    NodeMetrics(const Node& node, const Api* api, const http::ReadinessWatch& readiness,
                const webhooks::WebhookMeters* webhooks = nullptr);

    [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override;
    [[nodiscard]] std::vector<http::SeriesExemplars> exemplars() const override;

  private:
    const Node& node_;
    const Api* api_;
    const http::ReadinessWatch& readiness_;
    const webhooks::WebhookMeters* webhooks_;
    const Sampler sampler_;
};

}  // namespace tessera::app
