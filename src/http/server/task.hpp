// Coroutines of a loop, for what takes more than one step. All run on the loop's thread: whoever they wait for resumes
// them there, the poller for sockets and Loop::post for the answers of other threads.
//
//    made ──start()──▶ runs ──co_await──▶ waits ──resume()──▶ runs … ──co_return──▶ done: start() says so, or calls
//    `then`
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace tessera::http {

template <typename T>
class [[nodiscard]] Task {
  public:
    class promise_type;

    Task() = default;
    Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        Task(std::move(other)).swap(*this);
        return *this;
    }
    ~Task() {
        if (frame_) frame_.destroy();
    }

    // Runs it to where it first waits. True: it is done; otherwise `then` is called when it is. A task that never waits
    // so takes no room on the stack of the one after it.
    bool start(const std::function<void()>& then) {
        frame_.resume();
        if (frame_.done()) return true;
        frame_.promise().then = then;
        return false;
    }
    // What it returned; throws what it threw.
    T result() {
        if (auto escaped = frame_.promise().escaped) std::rethrow_exception(escaped);
        return std::move(*frame_.promise().value);
    }

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> caller) {
        return !start([caller] { caller.resume(); });
    }
    T await_resume() { return result(); }

  private:
    explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    void swap(Task& other) noexcept { std::swap(frame_, other.frame_); }

    std::coroutine_handle<promise_type> frame_;
};

template <typename T>
class Task<T>::promise_type {
  public:
    struct AtEnd {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<promise_type> frame) const noexcept {
            const auto go_on = std::exchange(frame.promise().then, nullptr);  // it may be the end of the frame
            if (go_on) go_on();
        }
        void await_resume() const noexcept {}
    };

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    AtEnd final_suspend() noexcept { return {}; }
    void return_value(T returned) { value.emplace(std::move(returned)); }
    void unhandled_exception() { escaped = std::current_exception(); }

    std::optional<T> value;
    std::exception_ptr escaped;
    std::function<void()> then;
};

}  // namespace tessera::http
