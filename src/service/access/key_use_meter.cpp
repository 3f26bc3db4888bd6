#include "service/access/key_use_meter.hpp"

#include <vector>

#include "core/log.hpp"
#include "metadata/api_keys.hpp"
#include "service/access/key_authenticator.hpp"

namespace tessera::service {

KeyUseMeter::KeyUseMeter(KeyAuthenticator& authenticator, metadata::ApiKeys& keys, Millis interval)
    : authenticator_(authenticator), keys_(keys), interval_(interval) {}

KeyUseMeter::~KeyUseMeter() {
    stop();
}

void KeyUseMeter::start() {
    if (thread_.joinable()) return;
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void KeyUseMeter::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    thread_ = {};
    if (const auto ok = flush(); !ok) log::warning("key_uses_not_noted", {{"detail", ok.error().detail}});
}

void KeyUseMeter::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(mutex_);
            wakes_.wait_for(lock, stop, interval_, [] { return false; });
        }
        if (stop.stop_requested()) return;
        if (const auto ok = flush(); !ok) log::warning("key_uses_not_noted", {{"detail", ok.error().detail}});
    }
}

Result<void> KeyUseMeter::flush() {
    const std::vector<metadata::KeyUse> uses = authenticator_.take_used();
    if (uses.empty()) return {};
    return keys_.note_used(uses);
}

}  // namespace tessera::service
