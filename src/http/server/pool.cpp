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
    std::vector<DoneSignal*> resting;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        resting.swap(resting_);
    }
    for (DoneSignal* signal : resting) signal->give();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

DoneSignal* BlockingPool::add_locked(Work work) {
    queue_.push_back(std::move(work));
    waiting_.store(queue_.size(), std::memory_order_relaxed);
    if (resting_.empty()) return nullptr;
    DoneSignal* last = resting_.back();
    resting_.pop_back();
    return last;
}

bool BlockingPool::try_post(Work work) {
    DoneSignal* to_wake = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (queue_.size() >= max_waiting_) return false;
        to_wake = add_locked(std::move(work));
    }
    if (to_wake != nullptr) to_wake->give();
    return true;
}

void BlockingPool::post(Work work) {
    DoneSignal* to_wake = nullptr;
    {
        const std::lock_guard lock(mutex_);
        to_wake = add_locked(std::move(work));
    }
    if (to_wake != nullptr) to_wake->give();
}

void BlockingPool::run() {
    pthread_setname_np(pthread_self(), "http-blocking");
    DoneSignal woken;
    std::unique_lock lock(mutex_);
    for (;;) {
        if (queue_.empty()) {
            if (stopping_) return;
            resting_.push_back(&woken);
            lock.unlock();
            woken.wait();
            lock.lock();
            continue;
        }
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
