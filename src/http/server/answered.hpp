// From a coroutine on a loop to whoever answers later, and back. No thread waits meanwhile.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "http/server/loop.hpp"

namespace tessera::http {

// One answer that a coroutine waits for. Given from any thread; the first counts. When the last copy goes and none was
// given, the coroutine goes on without.
template <typename T>
class LateAnswer {
  public:
    LateAnswer(Loop& loop, std::optional<T>& result, std::function<void()> resume)
        : pending_(std::make_shared<Pending>(loop, result, std::move(resume))) {}

    void operator()(T value) const { pending_->give(std::move(value)); }

  private:
    class Pending {
      public:
        Pending(Loop& loop, std::optional<T>& result, std::function<void()> resume)
            : loop_(loop), result_(result), resume_(std::move(resume)) {
            loop_.common().answers.add();
        }
        Pending(const Pending&) = delete;
        Pending& operator=(const Pending&) = delete;
        ~Pending() {
            if (!given_) loop_.post(std::move(resume_));
            loop_.common().answers.remove();
        }
        void give(T value) {
            if (given_.exchange(true)) return;
            result_.emplace(std::move(value));
            loop_.post(std::move(resume_));  // from here on the coroutine may be gone, and what it waited with
        }

      private:
        Loop& loop_;
        std::optional<T>& result_;
        std::function<void()> resume_;
        std::atomic<bool> given_{false};
    };
    std::shared_ptr<Pending> pending_;
};

// Calls `start` with an LateAnswer<T> and resumes on the loop with what was answered; with nothing when nobody did.
// What `start` refers to stays alive, since the caller's coroutine waits. It must not throw.
template <typename T, typename Start>
Task<std::optional<T>> answered(Loop& loop, Start start) {
    std::optional<T> result;
    co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(
        [&](auto handler) {
            auto resume = std::make_shared<decltype(handler)>(std::move(handler));
            start(LateAnswer<T>(loop, result, [resume] { std::move (*resume)(); }));
        },
        awaited);
    co_return result;
}

}  // namespace tessera::http
