// From a coroutine on a loop to whoever answers later, and back. No thread waits meanwhile.
#pragma once

#include <atomic>
#include <coroutine>
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
    LateAnswer(Loop& loop, std::optional<T>& result, std::coroutine_handle<> waiting)
        : pending_(std::make_shared<Pending>(loop, result, waiting)) {}

    void operator()(T value) const { pending_->give(std::move(value)); }

  private:
    class Pending {
      public:
        Pending(Loop& loop, std::optional<T>& result, std::coroutine_handle<> waiting)
            : loop_(loop), result_(result), waiting_(waiting) {
            loop_.common().answers.add();
        }
        Pending(const Pending&) = delete;
        Pending& operator=(const Pending&) = delete;
        ~Pending() {
            if (!given_) go_on();
            loop_.common().answers.remove();
        }
        void give(T value) {
            if (given_.exchange(true)) return;
            result_.emplace(std::move(value));
            go_on();  // from here on the coroutine may be gone, and what it waited with
        }

      private:
        void go_on() {
            loop_.post([waiting = waiting_] { waiting.resume(); });
        }

        Loop& loop_;
        std::optional<T>& result_;
        std::coroutine_handle<> waiting_;
        std::atomic<bool> given_{false};
    };
    std::shared_ptr<Pending> pending_;
};

template <typename T, typename Start>
class AnsweredLater {
  public:
    AnsweredLater(Loop& loop, Start start) : loop_(loop), start_(std::move(start)) {}

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) { start_(LateAnswer<T>(loop_, result_, waiting)); }
    std::optional<T> await_resume() { return std::move(result_); }

  private:
    Loop& loop_;
    Start start_;
    std::optional<T> result_;
};

// To be awaited: calls `start` with a LateAnswer<T> and resumes on the loop with what was answered; with nothing when
// nobody did. What `start` refers to stays alive, since the caller's coroutine waits. It must not throw.
template <typename T, typename Start>
AnsweredLater<T, Start> answered(Loop& loop, Start start) {
    return {loop, std::move(start)};
}

}  // namespace tessera::http
