#include "core/fair_executor.hpp"

#include <pthread.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

constexpr std::chrono::seconds longest_advice{60};

}  // namespace

FairExecutor::FairExecutor(std::string name, const FairTerms& terms)
    : name_(std::move(name)), terms_(terms), queue_(terms) {}

FairExecutor::~FairExecutor() {
    stop();
}

FairExecutor::Refused FairExecutor::refused_locked(const Uuid& account, FairRefusal reason) const {
    const auto wait = std::chrono::ceil<std::chrono::seconds>(queue_.kept_waiting(account, Clock::now()));
    return {reason, std::clamp(wait, std::chrono::seconds(1), longest_advice)};
}

std::optional<FairExecutor::Refused> FairExecutor::post(const Uuid& account, Work work) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return refused_locked(account, FairRefusal::closed);
        if (const auto reason = queue_.add(account, std::move(work), Clock::now())) {
            return refused_locked(account, *reason);
        }
        wake_another_locked();
    }
    return std::nullopt;
}

// A thread that was woken and has not begun yet counts as idle: so whoever takes a turn looks again.
void FairExecutor::wake_another_locked() {
    if (queue_.waiting() == 0 || closed_) return;
    if (idle_ > 0) return changed_.notify_one();
    if (threads_.size() >= terms_.places) return;
    try {
        threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
        if (threads_.empty()) throw;  // otherwise those that are there do it
    }
}

std::optional<FairExecutor::Refused> FairExecutor::refusal(const Uuid& account) {
    const std::lock_guard lock(mutex_);
    if (closed_) return refused_locked(account, FairRefusal::closed);
    if (const auto reason = queue_.refusal(account)) return refused_locked(account, *reason);
    return std::nullopt;
}

void FairExecutor::run() {
    pthread_setname_np(pthread_self(), name_.c_str());
    std::unique_lock lock(mutex_);
    while (!closed_) {
        auto now = Clock::now();
        if (std::vector<Work> late = queue_.overdue(now); !late.empty()) {
            lock.unlock();
            for (const Work& work : late) work(Turn::too_late);
            late.clear();
            lock.lock();
            continue;
        }
        auto turn = queue_.next(now);
        if (!turn) {
            ++idle_;
            if (const auto again = queue_.next_change(now)) {
                changed_.wait_until(lock, *again);
            } else {
                changed_.wait(lock);
            }
            --idle_;
            continue;
        }
        wake_another_locked();
        lock.unlock();
        const auto took = turn->item(turn->is_debtor ? Turn::now_gently : Turn::now);
        turn->item = nullptr;  // what it holds must not outlive its turn
        lock.lock();
        queue_.done(turn->account, took, Clock::now());
        wake_another_locked();  // the place may be for somebody whom this account's share or debt kept out
    }
}

void FairExecutor::close() {
    std::vector<Work> left;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        left = queue_.clear();
    }
    changed_.notify_all();
    for (const Work& work : left) work(Turn::never);
}

void FairExecutor::stop() {
    close();
    std::vector<std::thread> threads;
    {
        const std::lock_guard lock(mutex_);
        threads = std::exchange(threads_, {});
    }
    for (std::thread& thread : threads) thread.join();
}

FairExecutor::Load FairExecutor::load() const {
    const std::lock_guard lock(mutex_);
    return {queue_.waiting(), queue_.running(), queue_.oldest(Clock::now())};
}

}  // namespace tessera
