#include "blobs/s3/parallel.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tessera::blobs {

Result<void> in_parallel(std::size_t count, std::size_t width, const std::function<Result<void>(std::size_t)>& step) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::optional<Error> failure;
    const auto work = [&] {
        for (;;) {
            const std::size_t index = next++;
            if (index >= count) return;
            auto done = step(index);
            if (done) continue;
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::move(done).error();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(count, width); ++i) helpers.emplace_back(work);
        work();
    }
    if (failure) return *std::move(failure);
    return {};
}

}  // namespace tessera::blobs
