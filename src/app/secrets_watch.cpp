#include "app/secrets_watch.hpp"

#include "app/trouble.hpp"
#include "core/log.hpp"

namespace tessera::app {

std::vector<std::string> texts_of(const std::vector<SigningSecret>& secrets) {
    std::vector<std::string> texts;
    for (const SigningSecret& secret : secrets) texts.push_back(secret.secret);
    return texts;
}

SecretsWatch::SecretsWatch(SecretList& list, std::vector<SigningSecret> known, const Clock& clock, Use use,
                           std::chrono::milliseconds interval)
    : list_(list), known_(std::move(known)), clock_(clock), use_(std::move(use)), interval_(interval), thread_([this] {
          run();
      }) {}

SecretsWatch::~SecretsWatch() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_wanted_.notify_one();
    thread_.join();
}

void SecretsWatch::run() {
    std::unique_lock lock(mutex_);
    while (!stop_wanted_.wait_for(lock, interval_, [&] { return stopping_; })) {
        lock.unlock();
        look();
        lock.lock();
    }
}

void SecretsWatch::look() {
    // The list is small: reading it is as cheap as asking for its time, and never wrong.
    const Result<std::vector<SigningSecret>> read = list_.read();
    if (!read) {
        if (readable_) log::error("signing_secrets_unreadable", {{"detail", told(read.error())}});
        readable_ = false;  // the ones we know go on working
        return;
    }
    readable_ = true;
    std::vector<SigningSecret> ordered = in_order_of_use(*read, clock_.now());
    if (ordered == known_) return;
    known_ = std::move(ordered);
    use_(texts_of(known_));
    log::info("signing_secrets_changed", {{"count", known_.size()}, {"signs", known_.front().fingerprint()}});
}

}  // namespace tessera::app
