#include "http/connection.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "core/log.hpp"

namespace tessera::http {
namespace {

// Holds most requests whole, and is what an idle connection keeps.
constexpr std::size_t idle_buffer_bytes = 2048;

IpAddress ip_of(const Tcp::endpoint& endpoint) {
    IpAddress ip;
    const auto address = endpoint.address();
    ip.bytes = address.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4()).to_bytes()
                               : address.to_v6().to_bytes();
    return ip;
}

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

Connection::Connection(Loop& loop, Socket socket, const Site& site)
    : loop_(loop), site_(site), socket_(std::move(socket)), parser_(loop.common().parser_limits) {
    boost::system::error_code ignored;
    socket_.set_option(Tcp::no_delay(true), ignored);
    socket_.native_non_blocking(true, ignored);
    peer_ = ip_of(socket_.remote_endpoint(ignored));
    client_ = peer_;
    client_text_ = peer_.to_string();
    peer_is_proxy_ = loop.common().trusted_proxies.contains(peer_);
    buffer_ = std::make_unique_for_overwrite<char[]>(idle_buffer_bytes);
    capacity_ = idle_buffer_bytes;
    loop_.enter(*this);
}

Connection::~Connection() {
    if (stats_ != nullptr) stats_->in_flight.subtract();
    loop_.leave(*this);
}

Task<void> Connection::serve(std::unique_ptr<Connection> self) {
    Connection& connection = *self;
    Step step = connection.advance();
    for (;;) {
        switch (step) {
            case Step::receive: {
                connection.make_room_for_head();
                const auto space =
                    asio::buffer(connection.buffer_.get() + connection.end_, connection.capacity_ - connection.end_);
                const auto [error, bytes] = co_await connection.socket_.async_receive(space, awaited_result);
                step = connection.received(error, bytes);
                break;
            }
            case Step::flush: step = co_await connection.flush(); break;
            case Step::slow: step = co_await connection.handle_slowly(); break;
            case Step::discard: step = co_await connection.discard_body(); break;
            case Step::next: step = connection.advance(); break;
            case Step::linger: co_await connection.linger(); co_return;
            case Step::close: co_return;
        }
    }
}

Task<void> Connection::turn_away(std::unique_ptr<Connection> self) {
    Connection& connection = *self;
    connection.loop_.stats().connections_refused.add();
    connection.begin_request();
    Step step = connection.refuse({ErrorCode::overloaded, "too many connections, try again later", {}, 1});
    if (step == Step::flush) step = co_await connection.flush();
    if (step == Step::linger) co_await connection.linger();
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
    cancel_wait();
    ::shutdown(socket_.native_handle(), SHUT_RDWR);
}

void Connection::cancel_wait() {
    boost::system::error_code ignored;
    socket_.cancel(ignored);
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

Connection::Step Connection::received(const boost::system::error_code& error, std::size_t bytes) {
    if (error || bytes == 0) {
        if (timed_out_ && wait_ == Wait::head && !aborted_) {
            begin_request();
            return refuse({ErrorCode::request_timeout, "the request's head took too long", {}});
        }
        return error == asio::error::operation_aborted && wait_ == Wait::idle ? take_last_chance() : Step::close;
    }
    end_ += bytes;
    return advance();
}

// Before an idle connection is closed on our own initiative: a request that is already here is still answered.
Connection::Step Connection::take_last_chance() {
    if (aborted_) return Step::close;
    const ssize_t bytes = ::recv(socket_.native_handle(), buffer_.get(), capacity_, MSG_DONTWAIT);
    if (bytes <= 0) return Step::close;
    begin_ = 0;
    end_ = static_cast<std::size_t>(bytes);
    return advance();
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
    started_at_ = Clock::now();
    request_ = {};
    request_.headers = parser_.headers();
    request_id_.choose(request_.header("X-Request-ID").value_or(std::string_view()));
    request_.request_id = request_id_.view();
    if (peer_is_proxy_) {
        client_ = client_behind_proxies(peer_, request_.header("X-Forwarded-For").value_or(std::string_view()),
                                        loop_.common().trusted_proxies);
        client_text_ = client_.to_string();
    }
    request_.client_ip = client_text_;
    request_.client_address = client_.bytes;
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
        return refuse({ErrorCode::body_too_large, "request body is too large", {}});
    }
    if (loop_.common().gate) {
        std::optional<Verdict> verdict = loop_.common().gate->try_admit(*match.route, request_);
        if (!verdict) return Step::slow;
        gate_headers_ = std::move(verdict->headers);
        if (verdict->refusal) return refuse(std::move(*verdict->refusal));
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
        response.add("Access-Control-Allow-Headers", "If-None-Match, If-Range, Range, X-Request-ID");
        response.add("Access-Control-Max-Age", "86400");
    }
    return respond(std::move(response));
}

}  // namespace tessera::http
