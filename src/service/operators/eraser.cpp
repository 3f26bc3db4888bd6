#include "service/operators/eraser.hpp"

#include <pthread.h>

#include <algorithm>
#include <stdexcept>

#include "core/log.hpp"
#include "metadata/acting_as.hpp"
#include "metadata/erasure.hpp"
#include "metadata/store.hpp"
#include "service/access/erase_account.hpp"

namespace tessera::service {
namespace {

struct Interrupted : std::exception {};

}  // namespace

Eraser::~Eraser() {
    stop();
}

Result<Account> Eraser::begin(const Uuid& account_id) {
    auto begun = store_.erasure().begin(account_id);
    if (!begun || begun->erased_at) return begun;
    const std::string* actor = metadata::ActingAs::current();
    const std::lock_guard lock(mutex_);
    const bool waits = std::ranges::any_of(orders_, [&](const Order& one) { return one.account_id == account_id; });
    if (stopping_ || waits) return begun;
    orders_.push_back({account_id, actor != nullptr ? *actor : "service"});
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    changed_.notify_one();
    return begun;
}

void Eraser::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Eraser::work() {
    pthread_setname_np(pthread_self(), "eraser");
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return stopping_ || !orders_.empty(); });
        if (stopping_) return;
        const Order order = orders_.front();  // stays there while it is worked on, so that it is not ordered twice
        lock.unlock();
        try {
            const metadata::ActingAs acting(order.actor);
            const auto erased = erase_account(store_, blobs_, order.account_id, [this](const ErasureReport&) {
                const std::lock_guard look(mutex_);
                if (stopping_) throw Interrupted();
            });
            if (!erased) {
                log::error("erasure_failed",
                           {{"account", order.account_id.to_string()}, {"detail", erased.error().detail}});
            }
        } catch (const Interrupted&) {
            log::info("erasure_interrupted", {{"account", order.account_id.to_string()}});
        } catch (const std::exception& thrown) {
            log::error("erasure_failed", {{"account", order.account_id.to_string()}, {"detail", thrown.what()}});
        }
        lock.lock();
        orders_.pop_front();
    }
}

}  // namespace tessera::service
