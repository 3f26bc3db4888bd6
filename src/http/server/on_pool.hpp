// From a coroutine on a loop to a pool thread and back.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "http/routing/handler.hpp"
#include "http/server/loop.hpp"

namespace tessera::http {

enum class Turn { refusable, must_run };

// Runs `function` on the pool and resumes on the loop with what it returned; with nothing when the pool's queue is
// full. What `function` refers to stays alive, since the caller's coroutine waits. It must not throw.
template <typename Function, typename R = std::invoke_result_t<Function>>
Task<std::optional<R>> run_on_pool(Loop& loop, Function function, Turn turn = Turn::refusable) {
    BlockingPool& pool = *loop.common().pool;
    std::optional<R> result;
    co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(
        [&](auto handler) {
            auto resume = std::make_shared<decltype(handler)>(std::move(handler));
            auto work = [&result, &function, &loop, resume]() mutable {
                result.emplace(function());
                loop.post([resume = std::move(resume)] { std::move (*resume)(); });
            };
            if (turn == Turn::must_run) {
                pool.post(std::move(work));
            } else if (!pool.try_post(std::move(work))) {
                loop.post([resume] { std::move (*resume)(); });
            }
        },
        awaited);
    co_return result;
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
