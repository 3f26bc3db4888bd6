// The threads that blocking handlers run on. The one that rested last is woken first: what it needs is still in the
// processor's caches, and the memory of threads that nobody needs is left alone. New work is refused when too much
// waits already; work that continues an accepted request is always taken, because it is bounded by the number of
// connections.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/done_signal.hpp"

namespace tessera::http {

class BlockingPool {
  public:
    using Work = std::function<void()>;

    BlockingPool(std::size_t threads, std::size_t max_waiting);
    ~BlockingPool();
    BlockingPool(const BlockingPool&) = delete;
    BlockingPool& operator=(const BlockingPool&) = delete;

    void start();
    void stop();  // runs what waits, then ends the threads

    [[nodiscard]] bool try_post(Work work);
    void post(Work work);

    [[nodiscard]] std::size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t busy() const { return busy_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t size() const { return thread_count_; }

  private:
    void run();
    // Adds it, and gives back whom to wake, once the lock is given up.
    [[nodiscard]] DoneSignal* add_locked(Work work);

    const std::size_t thread_count_;
    const std::size_t max_waiting_;
    std::mutex mutex_;
    std::deque<Work> queue_;
    std::vector<DoneSignal*> resting_;  // of threads, the last one at the back
    bool stopping_ = false;
    std::atomic<std::size_t> waiting_{0};
    std::atomic<std::size_t> busy_{0};
    std::vector<std::thread> threads_;
};

}  // namespace tessera::http
