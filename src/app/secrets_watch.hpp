// Reads the signing secrets again and again, and moves on to a new one once it has settled.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/secret_list.hpp"
#include "core/clock.hpp"

namespace tessera::app {

class SecretsWatch {
  public:
    using Use = std::function<void(const std::vector<std::string>&)>;  // the one that signs first

    // Calls `use` from a thread of its own whenever the order of use has changed since `known`.
    SecretsWatch(SecretList& list, std::vector<SigningSecret> known, const Clock& clock, Use use,
                 std::chrono::milliseconds interval = std::chrono::seconds(2));
    ~SecretsWatch();
    SecretsWatch(const SecretsWatch&) = delete;
    SecretsWatch& operator=(const SecretsWatch&) = delete;

  private:
    void run();
    void look();

    SecretList& list_;
    std::vector<SigningSecret> known_;  // in order of use
    const Clock& clock_;
    const Use use_;
    const std::chrono::milliseconds interval_;
    bool readable_ = true;
    std::mutex mutex_;
    std::condition_variable stop_wanted_;
    bool stopping_ = false;
    std::thread thread_;
};

// The texts alone, for a Signer.
std::vector<std::string> texts_of(const std::vector<SigningSecret>& secrets);

}  // namespace tessera::app
