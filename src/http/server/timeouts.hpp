// One queue of waiting connections for each kind of waiting. All of a kind wait equally long, so the queue is in order
// of deadline, and one coarse timer per loop looks at its front.
#pragma once

#include <boost/intrusive/list.hpp>
#include <chrono>
#include <ctime>

namespace tessera::http {

// Milliseconds of a clock that is cheap to read and good to a few of them.
inline std::int64_t coarse_now_ms() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

// Leaves its queue when destroyed.
class Waiter : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
  public:
    virtual void on_deadline() = 0;  // already out of the queue
    void stop_waiting() { unlink(); }
    [[nodiscard]] bool is_waiting() const { return is_linked(); }

  protected:
    Waiter() = default;
    virtual ~Waiter() = default;
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

  private:
    friend class WaitQueue;
    std::int64_t deadline_ms_ = 0;
};

class WaitQueue {
  public:
    explicit WaitQueue(std::chrono::milliseconds span) : span_ms_(span.count()) {}

    void add(Waiter& waiter) {
        if (waiter.is_linked()) waiter.unlink();
        waiter.deadline_ms_ = coarse_now_ms() + span_ms_;
        waiters_.push_back(waiter);
    }

    void expire(std::int64_t now_ms) {
        while (!waiters_.empty() && waiters_.front().deadline_ms_ <= now_ms) take_front().on_deadline();
    }
    void expire_all() {
        while (!waiters_.empty()) take_front().on_deadline();
    }
    [[nodiscard]] bool empty() const { return waiters_.empty(); }

  private:
    Waiter& take_front() {
        Waiter& waiter = waiters_.front();
        waiters_.pop_front();
        return waiter;
    }

    std::int64_t span_ms_;
    boost::intrusive::list<Waiter, boost::intrusive::constant_time_size<false>> waiters_;
};

}  // namespace tessera::http
