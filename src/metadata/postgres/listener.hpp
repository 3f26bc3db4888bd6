// Hears what other nodes say (LISTEN) and tells them of jobs (NOTIFY), on a connection and a thread of its own.
// When the connection was away, subscribers are told that anything may have changed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/file.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/subscribers.hpp"

namespace tessera::metadata::postgres {

class Listener {
  public:
    explicit Listener(Pool& pool);
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener();

    Subscribers<> job_subscribers;
    Subscribers<const Change&> change_subscribers;
    Subscribers<Store::JobChanges> job_change_subscribers;
    [[nodiscard]] std::uint64_t counter() const { return counter_; }

    // After the commit that made jobs claimable: own subscribers at once, other nodes a moment later. Many of these
    // become one message.
    void jobs_available();
    // After the commit that changed them: in the same way.
    void jobs_changed(std::vector<JobChange> changes);
    void job_changed(const Uuid& account_id, const Uuid& job_id, JobStatus status);
    // Own subscribers hear it now, and once more with the others, whom the database tells.
    void tell(const Change& change);

  private:
    void listen_until_stopped();
    void connect();
    void tell_others();
    void tell_others_of_changes();
    void pass_on(const std::vector<Notification>& heard);
    void wait();
    void wake();

    Pool& pool_;
    std::unique_ptr<Connection> connection_;
    std::atomic<std::uint64_t> counter_{1};
    std::atomic<bool> tell_others_{false};
    std::mutex mutex_;
    std::vector<JobChange> untold_;  // to other nodes
    bool untold_dropped_ = false;    // there were too many
    std::atomic<bool> has_untold_{false};
    std::atomic<bool> stopping_{false};
    UniqueFd wake_;  // an eventfd
    std::chrono::steady_clock::time_point ping_at_;
    std::thread thread_;
};

}  // namespace tessera::metadata::postgres
