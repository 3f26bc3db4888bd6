// Keeps the leases of running jobs alive, and writes their progress while it is at it: one call to the store for all of
// them. A job whose lease was lost is told to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <vector>

#include "core/periodic_thread.hpp"
#include "metadata/queue.hpp"
#include "worker/config.hpp"

namespace tessera::worker {

class LeaseKeeper {
  public:
    // One job in our hands. `stop` is requested when there is no more point in going on with it.
    struct Held {
        explicit Held(metadata::Lease held_lease) : lease(std::move(held_lease)) {}
        const metadata::Lease lease;
        std::atomic<double> progress{0};
        std::atomic<bool> lost{false};
        std::stop_source stop;

      private:
        friend class LeaseKeeper;
        double written = 0;
        std::chrono::steady_clock::time_point renewed_at = std::chrono::steady_clock::now();
    };

    LeaseKeeper(metadata::Queue& queue, const WorkerConfig& config);
    LeaseKeeper(const LeaseKeeper&) = delete;
    LeaseKeeper& operator=(const LeaseKeeper&) = delete;
    ~LeaseKeeper();

    std::shared_ptr<Held> hold(metadata::Lease lease);
    void let_go(const std::shared_ptr<Held>& held);
    // The job was cancelled: its lease is lost, and whoever works on it is told to stop. One that is about to come
    // into our hands is remembered for a while.
    void cancel(const Uuid& job_id);
    // Asks every job in our hands to stop.
    void stop_all();
    [[nodiscard]] std::size_t count() const;
    // False when something was still held at `deadline`.
    [[nodiscard]] bool wait_until_empty(std::chrono::steady_clock::time_point deadline);

  private:
    [[nodiscard]] std::vector<std::shared_ptr<Held>> due();
    void renew(const std::vector<std::shared_ptr<Held>>& due);

    metadata::Queue& queue_;
    const Millis lease_;
    const Millis interval_;
    mutable std::mutex mutex_;
    std::condition_variable emptied_;
    std::set<std::shared_ptr<Held>> held_;
    std::deque<Uuid> cancelled_;  // of late
    PeriodicThread thread_;       // last: it uses all of the above
};

}  // namespace tessera::worker
