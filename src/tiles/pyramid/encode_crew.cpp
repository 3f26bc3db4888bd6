#include "tiles/pyramid/encode_crew.hpp"

#include <algorithm>

#include "core/give_way.hpp"

namespace tessera::tiles {

EncodeCrew::~EncodeCrew() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    task_ready_.notify_all();
    for (auto& thread : threads_) thread.join();
}

JobResult<void> EncodeCrew::start(const imaging::TileEncoding& encoding, int threads, int helpers) {
    const auto own = static_cast<std::size_t>(std::max(1, threads));
    const std::size_t count = own + static_cast<std::size_t>(std::max(0, helpers));
    for (std::size_t i = 0; i < count; ++i) {
        auto encoder = imaging::TileEncoder::make(encoding);
        if (!encoder) return JobError{JobErrorCode::internal_error, "internal error", encoder.error().detail};
        encoders_.push_back(std::move(*encoder));
    }
    max_waiting_ = 4 * count;
    for (std::size_t i = 1; i < count; ++i) {
        threads_.emplace_back([this, i, own] {
            if (i >= own) give_way();
            work(*encoders_[i]);
        });
    }
    return {};
}

void EncodeCrew::run_one(imaging::TileEncoder& encoder, std::unique_lock<std::mutex>& lock) {
    Task task = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    auto done = task(encoder);
    task = nullptr;  // its pixels are freed before the next one starts
    lock.lock();
    --running_;
    if (!done && !error_) {
        error_ = std::move(done).error();
        queue_.clear();
    }
    if (running_ == 0) idle_.notify_all();
}

void EncodeCrew::work(imaging::TileEncoder& encoder) {
    std::unique_lock lock(mutex_);
    while (true) {
        task_ready_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        run_one(encoder, lock);
    }
}

JobResult<void> EncodeCrew::submit(Task task) {
    std::unique_lock lock(mutex_);
    while (!error_ && (queue_.size() >= max_waiting_ || (threads_.empty() && !queue_.empty()))) {
        run_one(*encoders_[0], lock);
    }
    if (error_) return *error_;
    queue_.push_back(std::move(task));
    lock.unlock();
    task_ready_.notify_one();
    return {};
}

JobResult<void> EncodeCrew::finish() {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) run_one(*encoders_[0], lock);
    idle_.wait(lock, [&] { return running_ == 0; });
    if (error_) return *error_;
    return {};
}

}  // namespace tessera::tiles
