#include "core/periodic_thread.hpp"

#include <pthread.h>

#include <utility>

namespace tessera {

PeriodicThread::~PeriodicThread() {
    stop();
}

void PeriodicThread::start(std::string name, Rest first, Step step) {
    if (thread_.joinable()) return;
    step_ = std::move(step);
    thread_ = std::jthread([this, name = std::move(name), first](const std::stop_token& stop) {
        pthread_setname_np(pthread_self(), name.c_str());
        work(stop, first);
    });
}

bool PeriodicThread::stop() {
    if (!thread_.joinable()) return false;
    thread_.request_stop();
    thread_.join();
    thread_ = {};
    return true;
}

void PeriodicThread::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (woken_) return;
        woken_ = true;
    }
    wakes_.notify_all();
}

void PeriodicThread::work(const std::stop_token& stop, Rest pause) {
    while (rest(stop, pause)) pause = step_(stop);
}

bool PeriodicThread::rest(const std::stop_token& stop, const Rest& rest) {
    std::unique_lock lock(mutex_);
    wakes_.wait_for(lock, stop, rest.at_least, [] { return false; });
    wakes_.wait_for(lock, stop, rest.at_most - rest.at_least, [this] { return woken_; });
    woken_ = false;
    return !stop.stop_requested();
}

}  // namespace tessera
