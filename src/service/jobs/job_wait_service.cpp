#include "service/jobs/job_wait_service.hpp"

#include <pthread.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/log.hpp"
#include "metadata/job_watch.hpp"

namespace tessera::service {
namespace {

constexpr std::chrono::milliseconds look_interval{2'000};
// However often others say that something may have been missed.
constexpr std::chrono::milliseconds shortest_look_interval{100};

void call_all(const std::vector<std::function<void()>>& to_call) {
    for (const auto& over : to_call) over();
}

}  // namespace

JobWaitService::JobWaitService(metadata::Store& store, WaitsConfig config) : store_(store), config_(config) {
    subscription_ = store_.on_job_changes([this](metadata::Store::JobChanges changes) { on_changes(changes); });
    thread_ = std::jthread([this](const std::stop_token& stop) {
        pthread_setname_np(pthread_self(), "job-waits");
        work(stop);
    });
}

JobWaitService::~JobWaitService() {
    subscription_.reset();
    thread_.request_stop();
}

std::unique_ptr<JobWait> JobWaitService::begin(const Uuid& account_id, const Uuid& job_id,
                                               std::chrono::seconds at_most) {
    const std::lock_guard lock(mutex_);
    if (count_ >= config_.max) return nullptr;
    std::size_t& of_account = of_account_[account_id];
    if (of_account >= config_.max_per_account) return nullptr;
    auto wait = std::make_unique<Wait>(*this, account_id, job_id);
    ++of_account;
    ++count_;
    wait->by_time_ = by_time_.emplace(Clock::now() + at_most, wait.get());
    wait->by_job_ = by_job_.emplace(job_id, wait.get());
    if (wait->by_time_->first < wakes_at_) changed_.notify_one();
    return wait;
}

JobWaitService::Wait::~Wait() {
    const std::lock_guard lock(waits_.mutex_);
    if (!is_over_) {
        waits_.by_time_.erase(by_time_);
        waits_.by_job_.erase(by_job_);
    }
    --waits_.count_;
    const auto of_account = waits_.of_account_.find(account_id_);
    if (--of_account->second == 0) waits_.of_account_.erase(of_account);
}

void JobWaitService::Wait::when_over(std::function<void()> over) {
    {
        const std::lock_guard lock(waits_.mutex_);
        if (!is_over_) {
            over_ = std::move(over);
            return;
        }
    }
    over();
}

void JobWaitService::Wait::give_up() {
    Callbacks to_call;
    {
        const std::lock_guard lock(waits_.mutex_);
        if (!is_over_) waits_.end(*this, to_call);
    }
    call_all(to_call);
}

std::size_t JobWaitService::count() const {
    const std::lock_guard lock(mutex_);
    return count_;
}

void JobWaitService::end(Wait& wait, Callbacks& to_call) {
    wait.is_over_ = true;
    by_time_.erase(wait.by_time_);
    by_job_.erase(wait.by_job_);
    if (wait.over_) to_call.push_back(std::exchange(wait.over_, nullptr));
}

void JobWaitService::end_job(const Uuid& job_id, Callbacks& to_call) {
    for (auto found = by_job_.find(job_id); found != by_job_.end(); found = by_job_.find(job_id)) {
        end(*found->second, to_call);
    }
}

void JobWaitService::on_changes(metadata::Store::JobChanges changes) {
    Callbacks to_call;
    {
        const std::lock_guard lock(mutex_);
        if (by_job_.empty()) return;
        for (const metadata::JobChange& change : changes) {
            if (has_ended(change.status)) end_job(change.job_id, to_call);
        }
        if (changes.empty() && !std::exchange(some_were_missed_, true)) changed_.notify_one();
    }
    call_all(to_call);
}

void JobWaitService::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (by_time_.empty()) {
            wakes_at_ = Clock::time_point::max();
            changed_.wait(lock, stop, [&] { return !by_time_.empty(); });
            looked_at_ = Clock::now();  // whoever came now has looked
            continue;
        }
        const bool missed = some_were_missed_;
        const Clock::time_point look_at = looked_at_ + (missed ? shortest_look_interval : look_interval);
        const Clock::time_point next = std::min(look_at, by_time_.begin()->first);
        if (Clock::now() < next) {
            wakes_at_ = next;
            changed_.wait_until(lock, stop, next, [&] {
                return by_time_.empty() || by_time_.begin()->first < next || some_were_missed_ != missed;
            });
            if (Clock::now() < next) continue;
        }
        Callbacks to_call;
        while (!by_time_.empty() && by_time_.begin()->first <= Clock::now()) end(*by_time_.begin()->second, to_call);
        lock.unlock();
        call_all(to_call);
        lock.lock();
        if (Clock::now() >= look_at) look_again(lock);
    }
}

void JobWaitService::look_again(std::unique_lock<std::mutex>& lock) {
    some_were_missed_ = false;
    std::unordered_set<Uuid> distinct;
    // Before somebody waits to be told, there may be no such job yet.
    for (const auto& [job_id, wait] : by_job_) {
        if (wait->over_) distinct.insert(job_id);
    }
    lock.unlock();
    const std::vector<Uuid> asked(distinct.begin(), distinct.end());
    const auto in_flight = store_.job_watch().in_flight(asked);
    Callbacks to_call;
    lock.lock();
    looked_at_ = Clock::now();
    if (!in_flight.ok()) return;  // the store says so itself, and the next look is near
    for (const Uuid& id : *in_flight) distinct.erase(id);
    for (const Uuid& id : distinct) end_job(id, to_call);
    lock.unlock();
    call_all(to_call);
    lock.lock();
}

}  // namespace tessera::service
