// From a coroutine on a loop to a pool thread and back.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "http/routing/handler.hpp"
#include "http/server/loop.hpp"

namespace tessera::http {

enum class Turn { refusable, must_run };

template <typename Function>
class OnPool {
  public:
    using Returned = std::invoke_result_t<Function&>;

    OnPool(Loop& loop, Function function, Turn turn) : loop_(loop), function_(std::move(function)), turn_(turn) {}

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> waiting) {
        BlockingPool& pool = *loop_.common().pool;
        const auto work = [this, waiting] {
            returned_.emplace(function_());
            loop_.post([waiting] { waiting.resume(); });  // from here on this may be gone
        };
        if (turn_ == Turn::refusable) return pool.try_post(work);
        pool.post(work);
        return true;
    }
    std::optional<Returned> await_resume() { return std::move(returned_); }

  private:
    Loop& loop_;
    Function function_;
    const Turn turn_;
    std::optional<Returned> returned_;
};

// To be awaited: runs `function` on the pool and resumes on the loop with what it returned; with nothing when the
// pool's queue is full. What `function` refers to stays alive, since the caller's coroutine waits. It must not throw.
template <typename Function>
OnPool<Function> run_on_pool(Loop& loop, Function function, Turn turn = Turn::refusable) {
    return {loop, std::move(function), turn};
}

// A handler that throws has a bug; its caller gets a 500 all the same.
template <typename Function, typename... Arguments>
auto guarded(Function& function, Arguments&&... arguments) -> std::invoke_result_t<Function&, Arguments...> {
    using R = std::invoke_result_t<Function&, Arguments...>;
    try {
        return function(std::forward<Arguments>(arguments)...);
    } catch (const std::exception& exception) {
        if constexpr (std::is_same_v<R, Response>) {
            return Response::from(internal_error(exception.what()));
        } else {
            return internal_error(exception.what());
        }
    } catch (...) {
        if constexpr (std::is_same_v<R, Response>) {
            return Response::from(internal_error("unknown exception"));
        } else {
            return internal_error("unknown exception");
        }
    }
}

}  // namespace tessera::http
