// How gates and handlers are called: what they throw is a 500 for their caller, and what they take is noted where
// somebody asked for it.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "core/phase_times.hpp"
#include "http/message/problems.hpp"
#include "http/routing/handler.hpp"
#include "http/server/on_pool.hpp"
#include "http/server/server.hpp"

namespace tessera::http {

inline Verdict admit_guarded(Gate& gate, const Route& route, Request& request) {
    try {
        return gate.admit(route, request);
    } catch (const std::exception& exception) {
        return Verdict::refused(internal_error(exception.what()));
    }
}

inline std::optional<Response> respond_guarded(const TryRespond& on_loop, const Request& request) {
    try {
        return on_loop(request);
    } catch (const std::exception& exception) {
        return Response::from(internal_error(exception.what()));
    }
}

inline ResponseOrWait may_wait_guarded(const RespondOrWait& may_wait, const Request& request) {
    try {
        return may_wait(request);
    } catch (const std::exception& exception) {
        return Response::from(internal_error(exception.what()));
    }
}

inline void hold_guarded(const Hold& hold, const Request& request, const Held& answer) {
    try {
        hold(request, answer);
    } catch (const std::exception& exception) {
        answer(Response::from(internal_error(exception.what())));
    }
}

// `function` for the pool; where somebody asked for times, so that what it takes is noted.
template <typename Function>
auto timed(const std::shared_ptr<PhaseTimes>& times, Function function) {
    const auto posted_at = times ? PhaseTimes::Clock::now() : PhaseTimes::Clock::time_point();
    return [times, function = std::move(function), posted_at] {
        if (!times) return function();
        times->add(Phase::queue, PhaseTimes::Clock::now() - posted_at);
        const PhaseTimes::Scope scope(times);
        return function();
    };
}

inline void finish_guarded(BodySink& sink, const BodySink::Finished& finished) {
    try {
        sink.finish(finished);
    } catch (const std::exception& exception) {
        finished(Response::from(internal_error(exception.what())));
    }
}

}  // namespace tessera::http
