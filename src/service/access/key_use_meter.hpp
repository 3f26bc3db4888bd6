// Carries when keys were last used from memory to their rows, every few seconds and at the end: no request waits for
// it.
#pragma once

#include "core/clock.hpp"
#include "core/periodic_thread.hpp"
#include "core/result.hpp"

namespace tessera::metadata {
class ApiKeys;
}

namespace tessera::service {

class KeyAuthenticator;

class KeyUseMeter {
  public:
    KeyUseMeter(KeyAuthenticator& authenticator, metadata::ApiKeys& keys, Millis interval = Millis(15'000));
    KeyUseMeter(const KeyUseMeter&) = delete;
    KeyUseMeter& operator=(const KeyUseMeter&) = delete;
    ~KeyUseMeter();  // stop()

    void start();
    void stop();  // with a last flush; safe twice

    // What can't be written is forgotten: the key's next use is as good.
    Result<void> flush();

  private:
    void flush_or_say_so();

    KeyAuthenticator& authenticator_;
    metadata::ApiKeys& keys_;
    const Millis interval_;
    PeriodicThread thread_;
};

}  // namespace tessera::service
