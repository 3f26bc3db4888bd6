#include "http/server/connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "core/log.hpp"
#include "http/message/refusals.hpp"
#include "http/server/busy.hpp"

namespace tessera::http {
namespace {

// Holds most requests whole, and is what an idle connection keeps.
constexpr std::size_t idle_buffer_bytes = 2048;

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

Connection::Connection(Loop& loop, UniqueFd socket, const IpAddress& peer, const Site& site, Welcome welcome,
                       AddressConnections::Place place)
    : loop_(loop),
      site_(site),
      socket_(std::move(socket)),
      place_(std::move(place)),
      turned_away_(welcome == Welcome::turned_away),
      parser_(loop.common().parser_limits),
      arrival_(socket_.get()),
      peer_(peer),
      client_(peer),
      client_text_(peer.to_string()),
      peer_is_proxy_(loop.common().trusted_proxies.contains(peer)) {
    const int on = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    buffer_ = std::make_unique_for_overwrite<char[]>(idle_buffer_bytes);
    capacity_ = idle_buffer_bytes;
    loop_.enter(*this);
}

Connection::~Connection() {
    if (stats_ != nullptr) stats_->in_flight.subtract();
    loop_.poller().forget(socket_.get());
    loop_.leave(*this);
}

void Connection::on_deadline() {
    if (wait_ == Wait::body && body_bytes_waited_for_ >= loop_.common().config.body_min_bytes) {
        wait_for(Wait::body);
        return;
    }
    if (wait_ != Wait::idle) loop_.stats().timeouts.add();
    timed_out_ = true;
    cancel_wait();
}

void Connection::abort() {
    aborted_ = true;
    ::shutdown(socket_.get(), SHUT_RDWR);
    cancel_wait();
}

void Connection::wait_for(Wait what) {
    wait_ = what;
    switch (what) {
        case Wait::none: stop_waiting(); return;
        case Wait::idle: loop_.idle.add(*this); return;
        case Wait::head: loop_.head.add(*this); return;
        case Wait::body:
            body_bytes_waited_for_ = 0;
            loop_.body.add(*this);
            return;
        case Wait::write: loop_.write.add(*this); return;
        case Wait::linger: loop_.linger.add(*this); return;
    }
}

// RFC 9112 asks to tolerate an empty line before a request: some clients send one after a body.
void Connection::skip_blank_lines() {
    while (begin_ < end_ && (buffer_[begin_] == '\r' || buffer_[begin_] == '\n')) {
        if (buffer_[begin_] == '\r' && begin_ + 1 < end_ && buffer_[begin_ + 1] != '\n') return;
        ++begin_;
    }
    if (begin_ == end_) begin_ = end_ = 0;
}

Connection::Step Connection::advance() {
    if (!parser_.started()) skip_blank_lines();
    if (begin_ == end_) {
        if (loop_.common().draining.load(std::memory_order_relaxed)) return take_last_chance();
        if (wait_ != Wait::idle) wait_for(Wait::idle);  // blank lines alone buy no time
        return Step::receive;
    }
    switch (parser_.parse_head(unread())) {
        case RequestParser::Progress::need_more:
            if (wait_ != Wait::head) wait_for(Wait::head);
            return Step::receive;
        case RequestParser::Progress::failed:
            begin_request();
            loop_.stats().bad_requests.add();
            return refuse(parser_.failure());
        case RequestParser::Progress::done: break;
    }
    begin_request();
    return handle();
}

Connection::Step Connection::receive_head() {
    make_room_for_head();
    const auto bytes = receive_some({buffer_.get() + end_, capacity_ - end_});
    if (!bytes) return Step::receive;
    if (*bytes == 0) return Step::close;
    end_ += *bytes;
    return advance();
}

Connection::Step Connection::head_did_not_come() {
    if (timed_out_ && wait_ == Wait::head && !aborted_) {
        begin_request();
        return refuse(head_too_slow(loop_.common().config));
    }
    return wait_ == Wait::idle ? take_last_chance() : Step::close;
}

Connection::Step Connection::refuse_for_lack_of_room() {
    loop_.stats().connections_refused.add();
    begin_request();
    return refuse(too_many_connections());
}

Connection::Step Connection::refuse_for_lack_of_threads() {
    loop_.stats().overloaded.add();
    return refuse(no_thread_is_free());
}

// Before an idle connection is closed on our own initiative: a request that is already here is still answered. Blank
// lines are none: this connection has no deadline any more.
Connection::Step Connection::take_last_chance() {
    if (aborted_) return Step::close;
    const ssize_t bytes = ::recv(socket_.get(), buffer_.get(), capacity_, MSG_DONTWAIT);
    if (bytes <= 0) return Step::close;
    begin_ = 0;
    end_ = static_cast<std::size_t>(bytes);
    skip_blank_lines();
    return begin_ == end_ ? Step::close : advance();
}

void Connection::make_room_for_head() {
    if (end_ < capacity_) return;
    const std::size_t used = end_ - begin_;
    if (begin_ > 0) {
        std::memmove(buffer_.get(), buffer_.get() + begin_, used);
    } else {
        // One byte more than the largest head, so that one too large is noticed.
        const std::size_t larger = std::max(capacity_ * 4, loop_.common().config.max_head_bytes + 1);
        auto grown = std::make_unique_for_overwrite<char[]>(larger);
        std::memcpy(grown.get(), buffer_.get(), used);
        buffer_ = std::move(grown);
        capacity_ = larger;
    }
    begin_ = 0;
    end_ = used;
}

void Connection::shrink_when_idle() {
    if (capacity_ == idle_buffer_bytes) return;
    buffer_ = std::make_unique_for_overwrite<char[]>(idle_buffer_bytes);
    capacity_ = idle_buffer_bytes;
}

void Connection::begin_request() {
    wait_for(Wait::none);  // the deadline was for the head: it must not strike while the request is worked on
    started_at_ = loop_.poller().recently;
    request_.clear();
    request_.headers = parser_.headers();
    // The last: what the proxy nearest to us calls this request.
    request_id_.choose(ListFromEnd(request_.headers, "X-Request-ID").next().value_or(std::string_view()));
    request_.request_id = request_id_.view();
    if (peer_is_proxy_) {
        client_ = client_behind_proxies(peer_, ListFromEnd(request_.headers, "X-Forwarded-For"),
                                        loop_.common().trusted_proxies);
        client_text_ = client_.to_string();
    }
    request_.client_ip = client_text_;
    request_.client_address = client_.bytes;
    request_.arrival = &arrival_;
    request_.vouched_for = peer_is_proxy_;
    gate_headers_.clear();
    admitted_ = tried_on_loop_ = sent_continue_ = body_failed_ = timed_out_ = false;
    keep_alive_ = false;
    stats_ = &loop_.stats().by_route[loop_.common().unrouted_stats()];
    stats_->in_flight.add();
}

Connection::Step Connection::handle() {
    begin_ += parser_.head_size();
    keep_alive_ = parser_.keep_alive() && !loop_.common().draining.load(std::memory_order_relaxed);
    request_.method = method_from_string(parser_.method());
    request_.target = parser_.target();
    const std::string_view target = without_authority(request_.target);
    const std::size_t question = std::min(target.find('?'), target.size());
    request_.path = target.substr(0, question);
    request_.query = target.substr(std::min(question + 1, target.size()));
    return route();
}

Connection::Step Connection::route() {
    const Router::Match match = site_.router.find(request_);
    if (match.route == nullptr) {
        if (!match.path_known) return refuse({ErrorCode::not_found, "not found", {}});
        if (request_.method == Method::options) return answer_options();
        Response response = Response::from({ErrorCode::method_not_allowed, "method not allowed", {}});
        response.add("Allow", site_.router.allowed_methods(request_.path));
        return respond(std::move(response));
    }
    stats_->in_flight.subtract();
    stats_ = &loop_.stats().by_route[site_.stats_begin + site_.router.index_of(*match.route)];
    stats_->in_flight.add();

    const Handler& handler = match.route->handler;
    if (handler.max_body_bytes > 0 && parser_.content_length().value_or(0) > handler.max_body_bytes) {
        return refuse(body_too_large(handler.max_body_bytes));
    }
    if (loop_.common().gate) {
        std::optional<Verdict> verdict = loop_.common().gate->try_admit(*match.route, request_);
        if (!verdict) return Step::slow;
        gate_headers_ = std::move(verdict->headers);
        if (verdict->refusal) return refuse(std::move(verdict->refusal));
    }
    admitted_ = true;
    return handler.on_loop ? run_on_loop() : Step::slow;
}

Connection::Step Connection::run_on_loop() {
    tried_on_loop_ = true;
    try {
        std::optional<Response> response = request_.route->handler.on_loop(request_);
        return response ? respond(std::move(*response)) : Step::slow;
    } catch (const std::exception& exception) {
        return refuse(internal_error(exception.what()));
    }
}

Connection::Step Connection::answer_options() {
    Response response = Response::empty(204);
    response.add("Allow", site_.router.allowed_methods(request_.path));
    if (const Route* shared = site_.router.cross_origin_route(request_.path)) {
        request_.route = shared;
        response.add("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
        constexpr std::string_view allowed = "If-None-Match, If-Range, Range, X-Request-ID";
        constexpr std::string_view with_key = "Authorization, X-API-Key, If-None-Match, If-Range, Range, X-Request-ID";
        response.add("Access-Control-Allow-Headers", shared->auth == Auth::api_key ? with_key : allowed);
        response.add("Access-Control-Max-Age", "86400");
    }
    return respond(std::move(response));
}

}  // namespace tessera::http
