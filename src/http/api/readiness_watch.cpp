#include "http/api/readiness_watch.hpp"

#include <utility>

#include "core/log.hpp"

namespace tessera::http {

ReadinessWatch::ReadinessWatch(Ask ask, std::chrono::milliseconds interval, std::chrono::milliseconds stale_after)
    : ask_(std::move(ask)), stale_after_(stale_after) {
    thread_.start("readiness", Millis(0), [this, interval](const std::stop_token&) {
        ReadinessAnswer answer = ask_();
        const std::lock_guard lock(mutex_);
        answer_ = std::move(answer);
        answered_at_ = Clock::now();
        return interval;
    });
}

void ReadinessWatch::start_draining() {
    const std::lock_guard lock(mutex_);
    draining_ = true;
}

std::vector<ReadinessCheck> ReadinessWatch::checks() const {
    const std::lock_guard lock(mutex_);
    std::vector<ReadinessCheck> checks = answer_.checks;
    const bool stale = Clock::now() - answered_at_ > stale_after_;
    for (ReadinessCheck& check : checks) check.ok = check.ok && !stale;
    return checks;
}

ReadinessWatch::Report ReadinessWatch::report() const {
    const std::lock_guard lock(mutex_);
    const bool stale = Clock::now() - answered_at_ > stale_after_;
    const bool draining = draining_ || answer_.draining;
    const bool ready = answer_.ready && !stale && !draining;
    std::string json = ready ? "{\"status\":\"ready\"" : "{\"status\":\"unavailable\"";
    if (draining) json += ",\"reason\":\"draining\"";
    if (stale && !draining) json += ",\"reason\":\"checks do not answer\"";
    json += ",\"checks\":{";
    for (std::size_t i = 0; i < answer_.checks.size(); ++i) {
        if (i > 0) json += ',';
        log::append_json_string(json, answer_.checks[i].name);
        json += answer_.checks[i].ok ? ":\"ok\"" : ":\"failed\"";
    }
    json += "}}";
    return {ready, std::move(json)};
}

}  // namespace tessera::http
