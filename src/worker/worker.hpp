// The worker: claims jobs when there is room for them, runs each on a thread of its own from claim to end, and gives
// them all back when it is told to stop. Jobs wait for slots in the engine and for the disk without holding each other
// up; the stores share one sync among all that wait for it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "metadata/queue.hpp"
#include "metadata/store.hpp"
#include "worker/attempt.hpp"
#include "worker/config.hpp"
#include "worker/job_meters.hpp"

namespace tessera::worker {

struct WorkerCounters {
    std::uint64_t claimed = 0;
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
    std::uint64_t retried = 0;
    std::uint64_t handed_back = 0;
    std::uint64_t lost = 0;
    std::int64_t in_hand = 0;
};

class Worker {
  public:
    // `name` must be unique among all workers there ever were. `tracer`, where there is one, outlives it.
    Worker(metadata::Store& store, blobs::BlobStore& blobs, engine::Runner& runner,
           const operations::Registry& operations, const Clock& clock, WorkerConfig config, std::string name,
           telemetry::Tracer* tracer = nullptr);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();  // stop()

    void start();
    // Claims nothing more, gives running jobs `config.grace`, hands back what is left. Safe twice.
    void stop();

    [[nodiscard]] WorkerCounters counters() const;
    [[nodiscard]] const JobMeters& meters() const { return meters_; }
    [[nodiscard]] int slots() const { return slot_count_; }
    [[nodiscard]] bool is_paused() const { return storage_.is_away(); }

  private:
    struct Taken {
        metadata::ClaimedJob claimed;
        std::shared_ptr<LeaseKeeper::Held> held;
    };
    struct Room {
        int any = 0;    // how many jobs may be claimed from all, heavy ones included
        int light = 0;  // how many more light ones
    };

    void claim_until_stopped();
    [[nodiscard]] bool has_room_locked() const;
    [[nodiscard]] Room room_locked() const;
    [[nodiscard]] int prefetch_locked() const;
    // False when the queue gave less than there was room for.
    bool claim_into(const Room& room);
    void wait_for_storage(std::unique_lock<std::mutex>& lock);
    void wait_for_work(std::unique_lock<std::mutex>& lock, Millis at_most);
    void take_jobs();
    void leave_locked();  // by a thread, as its last act
    void join_those_that_left();
    void process(const Taken& taken);
    void left_engine(const Job& job, std::chrono::nanoseconds held);
    void count(AttemptEnd end);
    void meter(const Job& job, AttemptEnd end, std::optional<JobErrorCode> failure, std::chrono::nanoseconds took);

    metadata::Store& store_;
    const WorkerConfig config_;
    const int slot_count_;
    const int heavy_limit_;
    const std::string name_;
    AccountTerms terms_;
    SlotGate slots_;
    StorageWatch storage_;
    Workshop shop_;
    LeaseKeeper keeper_;
    JobMeters meters_;

    mutable std::mutex mutex_;
    std::condition_variable claimer_wakes_;
    std::condition_variable job_waits_;
    bool signalled_ = true;
    bool claimer_wants_room_ = false;
    std::atomic<bool> stopping_{false};
    int before_engine_ = 0;  // claimed and not yet out of the engine
    int heavy_ = 0;          // of those
    int in_hand_ = 0;
    int idle_threads_ = 0;
    double average_seconds_ = 1;  // in the engine, of late, for light jobs
    WorkerCounters counters_;
    std::deque<Taken> taken_;         // not yet on a thread
    std::list<std::thread> threads_;  // that take jobs
    std::list<std::thread> left_;     // that do no more, and wait to be joined
    std::condition_variable all_left_;
    std::thread claimer_;
    std::unique_ptr<metadata::Subscription> subscription_;
    std::unique_ptr<metadata::Subscription> cancellations_;
};

}  // namespace tessera::worker
