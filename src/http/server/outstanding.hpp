// How many answers are still in somebody's hands. Whoever gives one touches the loop that it is for, on a thread that
// the server does not know: so long as one is out, the loops must stay.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace tessera::http {

class Outstanding {
  public:
    void add() {
        const std::lock_guard lock(mutex_);
        ++count_;
    }
    void remove() {
        const std::lock_guard lock(mutex_);
        if (--count_ == 0) none_.notify_all();  // with the lock: whoever waits may end all of this
    }
    void wait_for_none() {
        std::unique_lock lock(mutex_);
        none_.wait(lock, [this] { return count_ == 0; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable none_;
    std::size_t count_ = 0;
};

}  // namespace tessera::http
