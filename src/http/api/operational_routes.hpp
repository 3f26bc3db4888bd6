// /healthz (the process answers), /readyz (it can do its work) and /metrics. None needs an API key, the pool or a
// store.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/api/readiness_watch.hpp"
#include "http/metrics/metrics_page.hpp"
#include "http/routing/route.hpp"

namespace tessera::http {

// Who may read /metrics: they tell of accounts' habits and of where it hurts.
struct MetricsReaders {
    bool everyone = false;  // where the address is for operators alone
    std::string token{};    // "Authorization: Bearer …"; empty: none does
};

std::vector<Route> operational_routes(std::shared_ptr<const ReadinessWatch> readiness,
                                      std::shared_ptr<const MetricsPage> metrics, MetricsReaders readers);

// Whether a client on this machine asks, and not for another: no proxy has left a trace.
bool is_from_this_machine(const Request& request);

}  // namespace tessera::http
