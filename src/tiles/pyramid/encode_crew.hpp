// Threads that encode tiles which are handed over one by one. At most a few wait at a time, so that memory is bounded:
// whoever hands over one more encodes one first.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/job.hpp"
#include "core/result.hpp"
#include "imaging/tile/encoder.hpp"

namespace tessera::tiles {

class EncodeCrew {
  public:
    using Task = std::function<JobResult<void>(imaging::TileEncoder&)>;

    EncodeCrew() = default;
    EncodeCrew(const EncodeCrew&) = delete;
    EncodeCrew& operator=(const EncodeCrew&) = delete;
    ~EncodeCrew();

    // `threads` counts the caller's own; `helpers` more give way to other work.
    JobResult<void> start(const imaging::TileEncoding& encoding, int threads, int helpers);
    // Fails once any task has.
    JobResult<void> submit(Task task);
    JobResult<void> finish();

  private:
    void work(imaging::TileEncoder& encoder);
    void run_one(imaging::TileEncoder& encoder, std::unique_lock<std::mutex>& lock);

    std::vector<std::unique_ptr<imaging::TileEncoder>> encoders_;
    std::mutex mutex_;
    std::condition_variable task_ready_;
    std::condition_variable idle_;
    std::deque<Task> queue_;
    std::size_t max_waiting_ = 1;
    int running_ = 0;
    bool stopping_ = false;
    std::optional<JobError> error_;
    std::vector<std::thread> threads_;
};

}  // namespace tessera::tiles
