// The threads that blocking handlers run on. New work is refused when too much waits already; work that continues an
// accepted request is always taken, because it is bounded by the number of connections.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

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

    const std::size_t thread_count_;
    const std::size_t max_waiting_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Work> queue_;
    bool stopping_ = false;
    std::atomic<std::size_t> waiting_{0};
    std::atomic<std::size_t> busy_{0};
    std::vector<std::thread> threads_;
};

}  // namespace tessera::http
