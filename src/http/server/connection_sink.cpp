// Bodies that are streamed into a sink: one buffer is received into while the pool works on the other.
#include <array>
#include <exception>
#include <functional>
#include <memory>

#include "http/server/answered.hpp"
#include "http/server/connection.hpp"
#include "http/server/on_pool.hpp"

namespace tessera::http {
namespace {

void finish_guarded(BodySink& sink, const BodySink::Finished& finished) {
    try {
        sink.finish(finished);
    } catch (const std::exception& exception) {
        finished(Response::from(internal_error(exception.what())));
    }
}

}  // namespace

// One write() on the pool. Touched on the loop only, save by the pool thread while it runs.
struct Connection::SinkTurn {
    bool running = false;
    bool receiving = false;  // the coroutine waits for the socket meanwhile
    Result<void> result;
    std::function<void()> resume;
};

void Connection::start_turn(SinkTurn& turn, BodySink& sink, std::span<const std::uint8_t> data) {
    turn.running = true;
    // Always taken: the request was admitted, and a connection has one turn at a time.
    loop_.common().pool->post([this, &turn, &sink, data, &loop = loop_] {
        auto write = [&] { return sink.write(data); };
        loop.post([this, &turn, result = guarded(write)]() mutable {
            turn.result = std::move(result);
            turn.running = false;
            if (auto resume = std::exchange(turn.resume, nullptr)) return resume();
            if (!turn.result.ok() && turn.receiving) cancel_wait();  // answer now, not when the client sends again
        });
    });
}

Task<void> Connection::end_of_turn(SinkTurn& turn) {
    if (!turn.running) co_return;
    co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(
        [&turn](auto handler) {
            auto shared = std::make_shared<decltype(handler)>(std::move(handler));
            turn.resume = [shared] { std::move (*shared)(); };
        },
        awaited);
}

// Everything in the body to the sink; an error is the sink's, or tells what was wrong with the body.
Task<Result<void>> Connection::feed(BodySink& sink) {
    std::array<RawBuffer, 2> buffers;
    SinkTurn turn;
    std::exception_ptr escaped;
    Result<void> fed;
    try {
        fed = co_await feed(sink, buffers, turn);
    } catch (...) {
        escaped = std::current_exception();
    }
    co_await end_of_turn(turn);  // come what may, since the pool works on what lies here
    if (escaped) std::rethrow_exception(escaped);
    if (fed.ok()) co_return std::move(turn.result);
    co_return fed;
}

Task<Result<void>> Connection::feed(BodySink& sink, std::span<RawBuffer, 2> buffers, SinkTurn& turn) {
    std::size_t current = 0;
    for (;;) {
        turn.receiving = true;
        const BodyRead read = co_await read_body(buffers[current]);
        turn.receiving = false;
        if (turn.running) wait_for(Wait::none);  // from here on it is not the client who is slow
        co_await end_of_turn(turn);
        if (!turn.result.ok()) co_return std::move(turn.result);
        if (!read.ok) co_return body_failure();
        if (!read.data.empty()) start_turn(turn, sink, read.data);
        if (read.done) co_return Result<void>();
        buffers[1 - current].take_rest_of(buffers[current]);
        current = 1 - current;
    }
}

Task<Connection::Step> Connection::stream_body() {
    auto opened = co_await run_on_pool(loop_, [&] { return guarded(request_.route->handler.open_sink, request_); });
    if (!opened) co_return refuse_for_lack_of_threads();
    if (!opened->ok()) co_return refuse(std::move(*opened).error());

    std::unique_ptr<BodySink> sink = std::move(**opened);
    Result<void> fed = co_await feed(*sink);
    // Ending a sink may block, so that too happens on the pool, whether it ends well or not.
    if (!fed.ok()) {
        const auto drop = [&] {
            sink.reset();
            return true;
        };
        co_await run_on_pool(loop_, drop, Turn::must_run);
        co_return respond(Response::from(std::move(fed).error()));
    }
    auto response = co_await answered<Response>(loop_, [&](auto answer) {
        loop_.common().pool->post(
            [ending = std::shared_ptr<BodySink>(std::move(sink)), answer] { finish_guarded(*ending, answer); });
    });
    if (!response) response = Response::from(internal_error("a sink was finished and never answered"));
    co_return respond(std::move(*response));
}

}  // namespace tessera::http
