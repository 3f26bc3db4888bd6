// The request at hand: routed, handled on the loop or on the pool, and answered.
#include <algorithm>
#include <utility>

#include "core/log.hpp"
#include "http/message/header_lines.hpp"
#include "http/message/prefer.hpp"
#include "http/message/problems.hpp"
#include "http/message/refusals.hpp"
#include "http/server/answered.hpp"
#include "http/server/busy.hpp"
#include "http/server/connection.hpp"
#include "http/server/feed_sink.hpp"
#include "http/server/handler_calls.hpp"
#include "http/server/request_span.hpp"
#include "http/server/server_timing.hpp"
#include "http/server/settle.hpp"
#include "telemetry/tracer.hpp"

namespace tessera::http {
namespace {

// "http://host/path" means "/path": clients that think we are a proxy may send it.
std::string_view without_authority(std::string_view target) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (target.size() > scheme.size() && equal_ignoring_case(target.substr(0, scheme.size()), scheme)) {
            const std::size_t slash = target.find('/', scheme.size());
            return slash == std::string_view::npos ? "/" : target.substr(slash);
        }
    }
    return target;
}

}  // namespace

void Connection::begin_request() {
    // The deadline was for the head: it must not strike while the request is worked on.
    socket_.set_deadline(Deadline::none);
    current_.emplace(loop_.stats().by_route[loop_.common().unrouted_stats()]);
    Request& request = current_->request;
    request.headers = input_.head().headers();
    // The last: what the proxy nearest to us calls this request.
    current_->id.choose(ListFromEnd(request.headers, "X-Request-ID").next().value_or(std::string_view()));
    request.request_id = current_->id.view();
    request.trace = trace_of(request.headers, current_->id);
    peer_.introduce(request, loop_.common().trusted_proxies);
}

Connection::Step Connection::handle() {
    const RequestParser& head = input_.head();
    Request& request = current_->request;
    input_.take_head();
    current_->keep_alive = head.keep_alive() && !is_draining();
    request.method = method_from_string(head.method());
    request.target = head.target();
    const std::string_view target = without_authority(request.target);
    const std::size_t question = std::min(target.find('?'), target.size());
    request.path = target.substr(0, question);
    request.query = target.substr(std::min(question + 1, target.size()));
    return route();
}

Connection::Step Connection::route() {
    Request& request = current_->request;
    const Router::Match match = site_.router.find(request);
    if (match.route == nullptr) {
        if (!match.path_known) return refuse({ErrorCode::not_found, "not found", {}});
        if (request.method == Method::options) return answer_options();
        Response response = Response::from({ProtocolError::method_not_allowed, "method not allowed", {}});
        response.add("Allow", site_.router.allowed_methods(request.path));
        return respond(std::move(response));
    }
    current_->in_flight = InFlight(loop_.stats().by_route[site_.stats_begin + site_.router.index_of(*match.route)]);

    begin_trace(*match.route);

    const Handler& handler = match.route->handler;
    if (handler.max_body_bytes > 0 && input_.head().content_length().value_or(0) > handler.max_body_bytes) {
        return refuse(body_too_large(handler.max_body_bytes));
    }
    if (loop_.common().gate) {
        std::optional<Verdict> verdict = loop_.common().gate->try_admit(*match.route, request);
        if (!verdict) return Step::work;
        if (current_->times) current_->times->add(Phase::auth, CurrentRequest::Clock::now() - current_->started_at);
        current_->gate_headers = std::move(verdict->headers);
        if (verdict->refusal) return refuse(std::move(verdict->refusal));
    }
    current_->admitted = true;
    return handler.on_loop ? run_on_loop() : Step::work;
}

// Whether it is recorded, and whether its times are.
void Connection::begin_trace(const Route& route) {
    const Common& common = loop_.common();
    Request& request = current_->request;
    if (common.tracer != nullptr && route.traced) {
        TraceContext& context = request.trace.context;
        const auto wish = request.trace.caller ? std::optional(context.is_sampled()) : std::nullopt;
        context.recorded = common.tracer->takes(wish, request.method != Method::get && request.method != Method::head);
        if (context.recorded) context.flags |= TraceContext::sampled_flag;
    }
    // Times may tell what is not for everybody: only whoever has a key is told, and only when it asks.
    if (route.auth == Auth::api_key && common.config.server_timing && prefers_timing(request))
        current_->times = std::make_shared<PhaseTimes>();
}

Connection::Step Connection::run_on_loop() {
    current_->tried_on_loop = true;
    std::optional<Response> response = respond_guarded(current_->request.route->handler.on_loop, current_->request);
    return response ? respond(std::move(*response)) : Step::work;
}

Connection::Step Connection::answer_options() {
    Request& request = current_->request;
    Response response = Response::empty(204);
    response.add("Allow", site_.router.allowed_methods(request.path));
    if (const Route* shared = site_.router.cross_origin_route(request.path)) {
        request.route = shared;
        response.add("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
        constexpr std::string_view allowed = "If-None-Match, If-Range, Range, X-Request-ID";
        constexpr std::string_view with_key = "Authorization, X-API-Key, If-None-Match, If-Range, Range, X-Request-ID";
        response.add("Access-Control-Allow-Headers",
                     shared->auth == Auth::api_key || shared->auth == Auth::key_or_signature ? with_key : allowed);
        response.add("Access-Control-Max-Age", "86400");
    }
    return respond(std::move(response));
}

// What needs the pool: a gate that asks a store, bodies, blocking handlers.
Task<Connection::Step> Connection::work() {
    Request& request = current_->request;
    if (!current_->admitted) {
        const Step step = co_await ask_gate();
        if (step != Step::work) co_return step;
    }
    const Handler& handler = request.route->handler;
    if (handler.open_sink) co_return co_await stream_body();
    if (handler.on_loop && !current_->tried_on_loop) {
        const Step step = run_on_loop();
        if (step != Step::work) co_return step;
    }
    std::string collected;  // the body, when it did not come with the head
    if (handler.max_body_bytes > 0) {
        if (const auto at_hand = input_.body_at_hand()) {
            request.body = *at_hand;
        } else {
            Result<std::string> body = co_await input_.collect_body(handler.max_body_bytes);
            if (!body.ok()) co_return refuse(std::move(body).error());
            collected = std::move(*body);
            request.body = collected;
        }
    }
    if (handler.hold) {
        const Step step = co_await hold();
        if (step != Step::work) co_return step;
    }
    if (handler.may_wait) co_return co_await respond_or_wait();
    std::optional<Response> response =
        co_await run_on_pool(loop_, timed(current_->times, [&] { return guarded(handler.on_pool, request); }));
    if (!response) co_return refuse_for_lack_of_threads();
    co_return respond(std::move(*response));
}

// Step::work: it is let in.
Task<Connection::Step> Connection::ask_gate() {
    Request& request = current_->request;
    const auto admit = [&] { return admit_guarded(*loop_.common().gate, *request.route, request); };
    std::optional<Verdict> verdict = co_await run_on_pool(loop_, timed(current_->times, admit));
    if (current_->times) current_->times->add(Phase::auth, CurrentRequest::Clock::now() - current_->started_at);
    if (!verdict) co_return refuse_for_lack_of_threads();
    current_->gate_headers = std::move(verdict->headers);
    if (verdict->refusal) co_return refuse(std::move(verdict->refusal));
    current_->admitted = true;
    co_return Step::work;
}

// Step::work: it was not answered, and goes on to the pool.
Task<Connection::Step> Connection::hold() {
    const Request& request = current_->request;
    auto held = co_await answered<std::optional<Response>>(
        loop_, [&](auto answer) { hold_guarded(request.route->handler.hold, request, std::move(answer)); });
    if (!held) co_return refuse(internal_error("a handler that holds requests dropped one"));
    co_return *held ? respond(std::move(**held)) : Step::work;
}

Task<Connection::Step> Connection::respond_or_wait() {
    const Request& request = current_->request;
    const std::shared_ptr<PhaseTimes>& times = current_->times;
    const auto respond_first = [&] { return may_wait_guarded(request.route->handler.may_wait, request); };
    std::optional<ResponseOrWait> first = co_await run_on_pool(loop_, timed(times, respond_first));
    if (!first) co_return refuse_for_lack_of_threads();
    if (auto* response = std::get_if<Response>(&*first)) co_return respond(std::move(*response));
    auto& wait = std::get<WaitThenRespond>(*first);
    {
        const PhaseScope phase(Phase::wait, times);
        co_await wait_for(*wait.waited);
    }
    wait.waited.reset();
    // Always taken: the request was let in long ago.
    auto response = co_await run_on_pool(loop_, timed(times, [&] { return guarded(wait.respond); }), Turn::must_run);
    co_return respond(std::move(*response));
}

Task<Connection::Step> Connection::stream_body() {
    const Request& request = current_->request;
    const std::shared_ptr<PhaseTimes>& times = current_->times;
    const auto open = [&] { return guarded(request.route->handler.open_sink, request); };
    auto opened = co_await run_on_pool(loop_, timed(times, open));
    if (!opened) co_return refuse_for_lack_of_threads();
    if (!opened->ok()) co_return refuse(std::move(*opened).error());

    std::unique_ptr<BodySink> sink = std::move(**opened);
    Result<void> fed = co_await feed_sink(loop_, input_, *sink);
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
        loop_.common().pool->post(timed(
            times, [ending = std::shared_ptr<BodySink>(std::move(sink)), answer] { finish_guarded(*ending, answer); }));
    });
    if (!response) response = Response::from(internal_error("a sink was finished and never answered"));
    co_return respond(std::move(*response));
}

Connection::Step Connection::refuse_for_lack_of_threads() {
    loop_.stats().overloaded.add();
    return refuse(no_thread_is_free());
}

Connection::Step Connection::refuse(Error error) {
    return respond(Response::from(std::move(error)));
}

Connection::Step Connection::refuse(std::shared_ptr<const Error> error) {
    Response response;
    response.error = std::move(error);
    return respond(std::move(response));
}

Connection::Step Connection::respond(Response&& response) {
    const Request& request = current_->request;
    const std::optional<ErrorCode> error_code = settle(response, request);
    bool& keep_alive = current_->keep_alive;
    if (response.close || is_draining()) keep_alive = false;
    if (response.source && input_.head().is_http_1_0()) keep_alive = false;
    if (!input_.body_done() && !input_.body_is_cheap_to_discard()) keep_alive = false;
    current_->answered = {
        .status = response.status, .error_code = error_code, .job = response.job, .bytes = size_of(response.body)};
    if (current_->times && request.principal) {
        const auto total = CurrentRequest::Clock::now() - current_->started_at;
        current_->gate_headers += server_timing(*current_->times, total, request.trace.context);
    }
    std::string& head = loop_.head_scratch;
    head.clear();
    append_head(head, response,
                {.request_id = request.request_id,
                 .date = loop_.date.now(),
                 .gate_headers = current_->gate_headers,
                 .http_1_0 = input_.head().is_http_1_0(),
                 .keep_alive = keep_alive,
                 .cors = request.route != nullptr && request.route->cors});
    const auto sent = output_.send(head, std::move(response.body));
    if (response.source) {
        current_->source = std::move(response.source);
        return Step::stream;
    }
    return sent == ConnectionOutput::Sent::blocked || sent == ConnectionOutput::Sent::cold ? Step::flush
                                                                                           : finish_response();
}

Connection::Step Connection::finish_response() {
    const ConnectionOutput::Sent sent = output_.finish();
    if (sent == ConnectionOutput::Sent::short_file) {
        log::error("file_shorter_than_announced", {{"request_id", current_->request.request_id},
                                                   {"trace_id", current_->request.trace.context.id_text()}});
    }
    Answered& answered = current_->answered;
    answered.took = CurrentRequest::Clock::now() - current_->started_at;
    current_->in_flight.stats().finish(answered);
    if (const TraceContext& trace = current_->request.trace.context; trace.recorded) {
        current_->in_flight.stats().traced.note(trace.trace_id, answered.took);
        loop_.common().tracer->add(span_of(current_->request, answered));
    }
    if (loop_.common().config.access_log) loop_.access_log.add(current_->request, answered);
    const bool keep_alive = current_->keep_alive;
    current_.reset();
    if (sent != ConnectionOutput::Sent::all || socket_.is_aborted()) return Step::close;
    if (keep_alive) return input_.body_done() || input_.body_at_hand() ? next_request() : Step::discard;
    return input_.all_was_read() ? Step::close : Step::linger;
}

}  // namespace tessera::http
