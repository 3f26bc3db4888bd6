// Holds reading down to so many bytes a second, over all threads, so that a check leaves the disk to the service.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

namespace tessera::app {

class Pace {
  public:
    explicit Pace(std::uint64_t bytes_a_second) : rate_(bytes_a_second) {}  // 0: as fast as it goes

    void read(std::uint64_t bytes) {
        if (rate_ == 0) return;
        std::unique_lock lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        if (next_ < now) next_ = now;
        next_ += std::chrono::nanoseconds(
            static_cast<std::int64_t>(1e9 * static_cast<double>(bytes) / static_cast<double>(rate_)));
        const auto until = next_;
        lock.unlock();
        std::this_thread::sleep_until(until);
    }

  private:
    const std::uint64_t rate_;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace tessera::app
