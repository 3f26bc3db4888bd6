#include "app/operational.hpp"

#include "app/node.hpp"
#include "http/api/operational_routes.hpp"

namespace tessera::app {
namespace {

http::ReadinessAnswer answer_of(const service::ReadinessReport& report) {
    http::ReadinessAnswer answer{.ready = report.ready, .draining = report.draining, .checks = {}};
    for (const service::ReadinessCheck& check : report.checks) answer.checks.push_back({check.name, check.ok});
    return answer;
}

}  // namespace

Operational::Operational(Node& node) : metrics_(std::make_shared<http::MetricsPage>()) {
    node.add_probes(parts_);
    watch_ = std::make_shared<http::ReadinessWatch>([this] { return answer_of(parts_.report()); });
}

std::vector<http::Route> Operational::routes(const http::ServerConfig& config) const {
    return http::operational_routes(watch_, metrics_,
                                    {.everyone = !config.admin_listen.empty(), .token = config.metrics_token});
}

void Operational::start_draining() {
    parts_.start_draining();
    watch_->start_draining();
}

}  // namespace tessera::app
