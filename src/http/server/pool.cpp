#include "http/server/pool.hpp"

#include <pthread.h>

#include <utility>

namespace tessera::http {

BlockingPool::BlockingPool(std::size_t threads, std::size_t max_waiting)
    : thread_count_(threads), max_waiting_(max_waiting) {}

BlockingPool::~BlockingPool() {
    stop();
}

void BlockingPool::start() {
    while (threads_.size() < thread_count_) threads_.emplace_back([this] { run(); });
}

void BlockingPool::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

bool BlockingPool::try_post(Work work) {
    {
        const std::lock_guard lock(mutex_);
        if (queue_.size() >= max_waiting_) return false;
        queue_.push_back(std::move(work));
        waiting_.store(queue_.size(), std::memory_order_relaxed);
    }
    wake_.notify_one();
    return true;
}

void BlockingPool::post(Work work) {
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(work));
        waiting_.store(queue_.size(), std::memory_order_relaxed);
    }
    wake_.notify_one();
}

void BlockingPool::run() {
    pthread_setname_np(pthread_self(), "http-blocking");
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) return;
        Work work = std::move(queue_.front());
        queue_.pop_front();
        waiting_.store(queue_.size(), std::memory_order_relaxed);
        lock.unlock();
        busy_.fetch_add(1, std::memory_order_relaxed);
        work();
        work = nullptr;  // what it holds must not outlive its turn
        busy_.fetch_sub(1, std::memory_order_relaxed);
        lock.lock();
    }
}

}  // namespace tessera::http
