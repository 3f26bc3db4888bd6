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
    thread_.start("key-uses", interval_, [this](const std::stop_token&) {
        flush_or_say_so();
        return interval_;
    });
}

void KeyUseMeter::stop() {
    if (thread_.stop()) flush_or_say_so();
}

void KeyUseMeter::flush_or_say_so() {
    if (const auto ok = flush(); !ok) log::warning("key_uses_not_noted", {{"detail", ok.error().detail}});
}

Result<void> KeyUseMeter::flush() {
    const std::vector<metadata::KeyUse> uses = authenticator_.take_used();
    if (uses.empty()) return {};
    return keys_.note_used(uses);
}

}  // namespace tessera::service
