// /healthz (the process answers), /readyz (it can do its work) and /metrics. None needs a key, the pool or a store.
#pragma once

#include <memory>
#include <vector>

#include "http/metrics_page.hpp"
#include "http/readiness_watch.hpp"
#include "http/route.hpp"

namespace tessera::http {

std::vector<Route> operational_routes(std::shared_ptr<const ReadinessWatch> readiness,
                                      std::shared_ptr<const MetricsPage> metrics);

}  // namespace tessera::http
