// A thread that takes a step, rests, and takes the next one, until it is stopped.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "core/clock.hpp"

namespace tessera {

class PeriodicThread {
  public:
    // Between two steps. Being woken ends it, but not before `at_least` has passed.
    struct Rest {
        Rest(Millis duration) : at_most(duration) {}  // NOLINT(google-explicit-constructor): a plain duration is one
        Rest(Millis longest, Millis shortest) : at_most(longest), at_least(shortest) {}
        Millis at_most;
        Millis at_least{0};
    };
    // Does the work, and says how long to rest after it.
    using Step = std::function<Rest(const std::stop_token& stop)>;

    PeriodicThread() = default;
    PeriodicThread(const PeriodicThread&) = delete;
    PeriodicThread& operator=(const PeriodicThread&) = delete;
    ~PeriodicThread();  // stop()

    // The first step comes after `first`. `name` is what a debugger shows, 15 characters at most. Does nothing when it
    // runs already.
    void start(std::string name, Rest first, Step step);
    // After the step at hand. Safe to call twice: true for the call that stopped it.
    bool stop();
    // The next step comes now, or as soon as the shortest rest allows.
    void wake();

  private:
    void work(const std::stop_token& stop, Rest rest);
    [[nodiscard]] bool rest(const std::stop_token& stop, const Rest& rest);  // false: stopped

    Step step_;
    std::mutex mutex_;
    std::condition_variable_any wakes_;
    bool woken_ = false;
    std::jthread thread_;
};

}  // namespace tessera
