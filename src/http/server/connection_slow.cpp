// Requests that need the pool: a gate that asks a store, blocking handlers.
#include "http/server/answered.hpp"
#include "http/server/connection.hpp"
#include "http/server/on_pool.hpp"

namespace tessera::http {
namespace {

Verdict admit_guarded(Gate& gate, const Route& route, Request& request) {
    try {
        return gate.admit(route, request);
    } catch (const std::exception& exception) {
        return Verdict::refused(internal_error(exception.what()));
    }
}

void hold_guarded(const Hold& hold, const Request& request, const Held& answer) {
    try {
        hold(request, answer);
    } catch (const std::exception& exception) {
        answer(Response::from(internal_error(exception.what())));
    }
}

}  // namespace

Task<Connection::Step> Connection::handle_slowly() {
    wait_for(Wait::none);
    Common& common = loop_.common();
    const Route& route = *request_.route;
    if (!admitted_) {
        std::optional<Verdict> verdict =
            co_await run_on_pool(loop_, [&] { return admit_guarded(*common.gate, route, request_); });
        if (!verdict) co_return refuse_for_lack_of_threads();
        gate_headers_ = std::move(verdict->headers);
        if (verdict->refusal) co_return refuse(std::move(verdict->refusal));
        admitted_ = true;
    }
    const Handler& handler = route.handler;
    if (handler.open_sink) co_return co_await stream_body();
    if (handler.on_loop && !tried_on_loop_) {
        const Step step = run_on_loop();
        if (step != Step::slow) co_return step;
    }
    if (handler.max_body_bytes > 0) {
        if (auto error = co_await collect_body(handler.max_body_bytes)) co_return refuse(std::move(error));
    }
    if (handler.hold) {
        auto held = co_await answered<std::optional<Response>>(
            loop_, [&](auto answer) { hold_guarded(handler.hold, request_, std::move(answer)); });
        if (!held) co_return refuse(internal_error("a handler that holds requests dropped one"));
        if (*held) co_return respond(std::move(**held));
    }
    std::optional<Response> response = co_await run_on_pool(loop_, [&] { return guarded(handler.on_pool, request_); });
    if (!response) co_return refuse_for_lack_of_threads();
    co_return respond(std::move(*response));
}

}  // namespace tessera::http
