// Requests that wait for a job to end, with no thread held for any of them. The store says when one has; because a
// word of that can be lost, all that are waited for are looked at again every two seconds, in one query.
//
//   begin ─▶ waits ─┬─▶ over: the job has ended, the time is up, or it was given up ─▶ (gone)
//                   └─▶ (gone)
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/uuid.hpp"
#include "metadata/store.hpp"
#include "service/jobs/job_waits.hpp"

namespace tessera::service {

struct WaitsConfig {
    std::size_t max_per_account = 1'000;
    std::size_t max = 20'000;
};

class JobWaitService final : public JobWaits {
  public:
    JobWaitService(metadata::Store& store, WaitsConfig config);
    JobWaitService(const JobWaitService&) = delete;
    JobWaitService& operator=(const JobWaitService&) = delete;
    ~JobWaitService() override;  // after all waits are gone

    [[nodiscard]] std::unique_ptr<JobWait> begin(const Uuid& account_id, const Uuid& job_id,
                                                 std::chrono::seconds at_most) override;

    [[nodiscard]] std::size_t count() const;

  private:
    using Clock = std::chrono::steady_clock;
    using Callbacks = std::vector<std::function<void()>>;

    class Wait final : public JobWait {
      public:
        Wait(JobWaitService& waits, const Uuid& account_id, const Uuid& job_id)
            : waits_(waits), account_id_(account_id), job_id_(job_id) {}
        Wait(const Wait&) = delete;
        Wait& operator=(const Wait&) = delete;
        ~Wait() override;
        void when_over(std::function<void()> over) override;
        void give_up() override;

      private:
        friend class JobWaitService;
        JobWaitService& waits_;
        const Uuid account_id_;
        const Uuid job_id_;
        bool is_over_ = false;
        std::function<void()> over_;
        std::multimap<Clock::time_point, Wait*>::iterator by_time_;
        std::unordered_multimap<Uuid, Wait*>::iterator by_job_;
    };

    void on_changes(metadata::Store::JobChanges changes);
    void work(const std::stop_token& stop);
    void end_job(const Uuid& job_id, Callbacks& to_call);
    void end(Wait& wait, Callbacks& to_call);
    void look_again(std::unique_lock<std::mutex>& lock);

    metadata::Store& store_;
    const WaitsConfig config_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::multimap<Clock::time_point, Wait*> by_time_;
    std::unordered_multimap<Uuid, Wait*> by_job_;
    std::unordered_map<Uuid, std::size_t> of_account_;
    std::size_t count_ = 0;
    bool some_were_missed_ = false;
    Clock::time_point looked_at_;
    Clock::time_point wakes_at_ = Clock::time_point::max();  // when the thread will, if nobody wakes it
    std::unique_ptr<metadata::Subscription> subscription_;
    std::jthread thread_;
};

}  // namespace tessera::service
