// Responses: the head by hand, head and body in one system call, waiting only when the socket is full.
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

#include "core/log.hpp"
#include "http/message/status.hpp"
#include "http/server/connection.hpp"
#include "http/server/file_pages.hpp"
#include "http/server/on_pool.hpp"
#include "http/server/system_calls.hpp"

namespace tessera::http {
namespace {

// What an answer may leave unread and still keep its connection.
constexpr std::uint64_t most_discarded_bytes = 64 << 10;
// A file is sent in such pieces: others get their turn between them, and each is checked for being in memory.
constexpr std::uint64_t file_piece_bytes = 512 << 10;

constexpr std::string_view json_type = "application/json";

void log_failure(const Error& error, const Request& request) {
    if (status_of(error.code) < 500 || error.code == ErrorCode::overloaded) return;
    log::error("request_failed", {{"request_id", request.request_id},
                                  {"route", request.route != nullptr ? std::string_view(request.route->pattern) : "-"},
                                  {"code", to_string(error.code)},
                                  {"detail", error.detail}});
}

}  // namespace

bool Connection::body_is_cheap_to_discard() const {
    if (body_failed_ || (parser_.expects_continue() && !sent_continue_)) return false;
    const auto remaining = parser_.body_remaining();
    return remaining && *remaining <= most_discarded_bytes;
}

Connection::Step Connection::refuse(Error error) {
    return respond(Response::from(std::move(error)));
}

Connection::Step Connection::refuse(std::shared_ptr<const Error> error) {
    Response response;
    response.error = std::move(error);
    return respond(std::move(response));
}

// Errors become JSON here, since here the request's id is known. What JSON tells whoever has a key is theirs alone: no
// cache may keep it.
void Connection::settle(Response& response) {
    const bool is_private = request_.route != nullptr && request_.route->auth == Auth::api_key;
    if (response.error) {
        const Error& error = *response.error;
        log_failure(error, request_);
        error_code_ = error.code;
        response.status = status_of(error.code);
        response.content_type = json_type;
        response.body = error_json(error, request_.request_id);
        response.declared_length.reset();
        if (error.retry_after_s) response.add("Retry-After", std::to_string(*error.retry_after_s));
        if (response.status == 401) response.add("WWW-Authenticate", "Bearer");
        if (!is_private) response.headers += "Cache-Control: no-store\r\n";  // it may be otherwise a moment later
        response.error.reset();
    }
    if (is_private && response.content_type == json_type) response.headers += "Cache-Control: private, no-store\r\n";
    if (request_.method == Method::head) {
        response.declared_length = response.declared_length.value_or(size_of(response.body));
        response.body = std::string();
    }
    if (!may_have_body(response.status)) response.body = std::string();  // the client would take it for an answer
    if (response.close || loop_.common().draining.load(std::memory_order_relaxed)) keep_alive_ = false;
    if (keep_alive_ && !parser_.body_done() && !body_is_cheap_to_discard()) keep_alive_ = false;
}

Connection::Step Connection::respond(Response&& response) {
    error_code_.reset();
    job_ = response.job;
    settle(response);
    status_ = response.status;
    std::string& head = loop_.head_scratch;
    head.clear();
    append_head(head, response,
                {.request_id = request_.request_id,
                 .date = loop_.date.now(),
                 .gate_headers = gate_headers_,
                 .http_1_0 = parser_.is_http_1_0(),
                 .keep_alive = keep_alive_,
                 .cors = request_.route != nullptr && request_.route->cors});
    body_ = std::move(response.body);
    body_sent_ = in_memory_until_ = 0;
    response_bytes_ = size_of(body_);

    std::string_view rest = head;
    sent_ = send_some(rest);
    if (sent_ == Sent::all || sent_ == Sent::failed) return finish_response();
    unsent_head_ = rest;
    return Step::flush;
}

Connection::Sent Connection::send_some(std::string_view& head) {
    if (const auto* text = std::get_if<std::string>(&body_)) return send_memory(head, *text);
    if (const auto* shared = std::get_if<SharedBytes>(&body_)) return send_memory(head, shared->bytes);
    if (const auto* resident = std::get_if<ResidentSlice>(&body_)) {
        return send_file(head, {resident->file, resident->offset, resident->length, true});
    }
    const auto& slice = std::get<FileSlice>(body_);
    return send_file(head, {slice.file ? slice.file->get() : -1, slice.offset, slice.length, false});
}

Connection::Sent Connection::not_sent() {
    if (errno != EAGAIN) return Sent::failed;
    writable_ = false;
    return Sent::blocked;
}

Connection::Sent Connection::send_memory(std::string_view& head, std::string_view body) {
    body.remove_prefix(static_cast<std::size_t>(body_sent_));
    while (!head.empty() || !body.empty()) {
        iovec parts[2] = {{const_cast<char*>(head.data()), head.size()}, {const_cast<char*>(body.data()), body.size()}};
        msghdr message{};
        message.msg_iov = head.empty() ? parts + 1 : parts;
        message.msg_iovlen = head.empty() || body.empty() ? 1 : 2;
        const ssize_t sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            if (errno == EINTR) continue;
            return not_sent();
        }
        const std::size_t of_head = std::min(static_cast<std::size_t>(sent), head.size());
        const std::size_t of_body = static_cast<std::size_t>(sent) - of_head;
        head.remove_prefix(of_head);
        body.remove_prefix(of_body);
        body_sent_ += of_body;
    }
    return Sent::all;
}

Connection::Sent Connection::send_file(std::string_view& head, const FilePart& part) {
    while (!head.empty()) {
        const int more = part.length > 0 ? MSG_MORE : 0;
        const ssize_t sent = send_now(socket_.get(), head, more);
        if (sent < 0) {
            if (errno == EINTR) continue;
            return not_sent();
        }
        head.remove_prefix(static_cast<std::size_t>(sent));
    }
    std::uint64_t left_of_turn = file_piece_bytes;
    while (body_sent_ < part.length) {
        const std::uint64_t piece = std::min(part.length - body_sent_, left_of_turn);
        if (piece == 0) return Sent::blocked;
        const auto offset = static_cast<off_t>(part.offset + body_sent_);
        if (!part.is_resident && body_sent_ >= in_memory_until_ &&
            !is_in_memory(part.file, part.offset + body_sent_, piece)) {
            return Sent::cold;
        }
        const ssize_t sent = send_file_now(socket_.get(), part.file, offset, piece);
        if (sent < 0) {
            if (errno == EINTR) continue;
            return not_sent();
        }
        if (sent == 0) {
            log::error("file_shorter_than_announced", {{"request_id", request_.request_id}});
            return Sent::failed;
        }
        body_sent_ += static_cast<std::uint64_t>(sent);
        left_of_turn -= static_cast<std::uint64_t>(sent);
    }
    return Sent::all;
}

Task<Connection::Step> Connection::flush() {
    std::string_view head = unsent_head_;
    timed_out_ = false;  // that was the body
    while (sent_ != Sent::all && sent_ != Sent::failed) {
        if (sent_ == Sent::cold) {
            const auto& file = std::get<FileSlice>(body_);
            const std::uint64_t at = file.offset + body_sent_;
            const std::uint64_t piece = std::min(file.length - body_sent_, file_piece_bytes);
            wait_for(Wait::none);
            co_await run_on_pool(
                loop_, [&] { return bring_into_memory(file.file->get(), at, piece); }, Turn::must_run);
            in_memory_until_ = body_sent_ + piece;
        } else {
            wait_for(Wait::write);  // anew after each progress: a reader may be slow, but not stand still
            if (!co_await socket_is(Ready::to_write) || timed_out_) break;
        }
        if (aborted_) break;
        sent_ = send_some(head);
    }
    wait_for(Wait::none);
    unsent_head_.clear();
    co_return finish_response();
}

Connection::Step Connection::finish_response() {
    const Clock::time_point now = Clock::now();
    loop_.poller().recently = now;
    body_ = std::string();
    const Answered answered{
        .status = status_, .error_code = error_code_, .job = job_, .bytes = response_bytes_, .took = now - started_at_};
    stats_->finish(answered);
    stats_->in_flight.subtract();
    stats_ = nullptr;
    if (loop_.common().config.access_log) loop_.access_log.add(request_, answered);
    if (sent_ != Sent::all || aborted_) return Step::close;
    if (keep_alive_) return parser_.body_done() ? next_request() : Step::discard;
    const bool all_was_read = parser_.body_done() && begin_ == end_ && after_body_.empty();
    return all_was_read ? Step::close : Step::linger;
}

Connection::Step Connection::next_request() {
    request_.principal.reset();
    parser_.reset();
    wait_ = Wait::none;  // so that a new span of waiting begins
    if (collected_.capacity() > 0) std::string().swap(collected_);
    if (!after_body_.empty()) join_what_followed();
    if (begin_ == end_) {
        begin_ = end_ = 0;
        shrink_when_idle();
    }
    return Step::next;
}

// A chunked body with the next request right behind it.
void Connection::join_what_followed() {
    const std::size_t rest = end_ - begin_;
    const std::size_t total = after_body_.size() + rest;
    auto joined = std::make_unique_for_overwrite<char[]>(total + 1);
    std::copy(after_body_.begin(), after_body_.end(), joined.get());
    std::copy(buffer_.get() + begin_, buffer_.get() + end_, joined.get() + after_body_.size());
    buffer_ = std::move(joined);
    capacity_ = total + 1;
    begin_ = 0;
    end_ = total;
    std::string().swap(after_body_);
}

}  // namespace tessera::http
