#include "worker/lease_keeper.hpp"

#include <algorithm>

#include "core/log.hpp"

namespace tessera::worker {
namespace {

constexpr double smallest_step = 0.01;  // of progress that is worth a write

// More than are cancelled while a claim is on its way.
constexpr std::size_t most_cancelled_kept = 256;

void lose(LeaseKeeper::Held& held) {
    held.lost = true;
    held.stop.request_stop();
}

}  // namespace

LeaseKeeper::LeaseKeeper(metadata::Queue& queue, const WorkerConfig& config)
    : queue_(queue),
      lease_(config.lease),
      interval_(std::max(Millis(10), std::min(config.progress_interval, config.lease / 3))) {
    thread_.start("lease-keeper", interval_, [this](const std::stop_token&) {
        if (const auto now_due = due(); !now_due.empty()) renew(now_due);
        return interval_;
    });
}

LeaseKeeper::~LeaseKeeper() = default;

std::shared_ptr<LeaseKeeper::Held> LeaseKeeper::hold(metadata::Lease lease) {
    auto held = std::make_shared<Held>(std::move(lease));
    const std::lock_guard lock(mutex_);
    held_.insert(held);
    // Cancelled between its claim and now.
    if (std::ranges::find(cancelled_, held->lease.job_id) != cancelled_.end()) lose(*held);
    return held;
}

void LeaseKeeper::cancel(const Uuid& job_id) {
    const std::lock_guard lock(mutex_);
    cancelled_.push_back(job_id);
    if (cancelled_.size() > most_cancelled_kept) cancelled_.pop_front();
    for (const auto& held : held_) {
        if (held->lease.job_id == job_id) lose(*held);
    }
}

void LeaseKeeper::let_go(const std::shared_ptr<Held>& held) {
    const std::lock_guard lock(mutex_);
    held_.erase(held);
    if (held_.empty()) emptied_.notify_all();
}

void LeaseKeeper::stop_all() {
    const std::lock_guard lock(mutex_);
    for (const auto& held : held_) held->stop.request_stop();
}

std::size_t LeaseKeeper::count() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
}

bool LeaseKeeper::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return emptied_.wait_until(lock, deadline, [&] { return held_.empty(); });
}

std::vector<std::shared_ptr<LeaseKeeper::Held>> LeaseKeeper::due() {
    const auto now = std::chrono::steady_clock::now();
    std::vector<std::shared_ptr<Held>> found;
    const std::lock_guard lock(mutex_);
    for (const auto& held : held_) {
        if (held->lost) continue;
        const bool lease_is_due = now - held->renewed_at >= lease_ / 3;
        if (lease_is_due || held->progress >= held->written + smallest_step) found.push_back(held);
    }
    return found;
}

void LeaseKeeper::renew(const std::vector<std::shared_ptr<Held>>& due) {
    std::vector<metadata::LeaseRenewal> renewals;
    renewals.reserve(due.size());
    for (const auto& held : due) renewals.push_back({held->lease, held->progress});
    const auto asked_at = std::chrono::steady_clock::now();
    const auto answers = queue_.renew(renewals, lease_);
    if (!answers) {
        log::warning("worker.renewal_failed", {{"leases", due.size()}, {"detail", answers.error().detail}});
        return;
    }
    for (std::size_t i = 0; i < due.size(); ++i) {
        Held& held = *due[i];
        if ((*answers)[i] == metadata::LeaseAnswer::lease_lost) {
            lose(held);
            continue;
        }
        held.renewed_at = asked_at;
        held.written = renewals[i].progress;
    }
}

}  // namespace tessera::worker
