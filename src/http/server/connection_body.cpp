// Request bodies: received, decoded, collected or thrown away.
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "http/message/refusals.hpp"
#include "http/server/busy.hpp"
#include "http/server/connection.hpp"

namespace tessera::http {
namespace {

constexpr std::size_t first_raw_bytes = 16 << 10;
constexpr std::size_t largest_raw_bytes = 256 << 10;
// A client that still sends after it has been answered is read on for so long, so that it sees the answer.
constexpr std::size_t most_lingering_bytes = 256 << 20;
constexpr std::chrono::seconds longest_linger{15};

// Errors themselves would widen the frames of coroutines.
std::shared_ptr<const Error> too_large(std::size_t limit) {
    return std::make_shared<const Error>(body_too_large(limit));
}

}  // namespace

void RawBuffer::make_room(std::size_t free_bytes) {
    const std::size_t rest = size - consumed;
    // One that was filled to the brim grows: its client is fast.
    const bool was_filled = capacity > 0 && size == capacity;
    const std::size_t wanted = std::max(rest + free_bytes, was_filled ? std::min(capacity * 4, largest_raw_bytes) : 0);
    if (wanted > capacity) {
        auto grown = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
        if (rest > 0) std::memcpy(grown.get(), data.get() + consumed, rest);
        data = std::move(grown);
        capacity = wanted;
    } else if (rest > 0 && consumed > 0) {
        std::memmove(data.get(), data.get() + consumed, rest);
    }
    size = rest;
    consumed = 0;
}

void RawBuffer::take_rest_of(RawBuffer& other) {
    const std::size_t rest = other.size - other.consumed;
    const bool was_filled = other.size == other.capacity;
    size = consumed = 0;
    make_room(was_filled ? std::min(other.capacity * 4, largest_raw_bytes) : std::max(rest, other.capacity));
    if (rest > 0) std::memcpy(data.get(), other.data.get() + other.consumed, rest);
    size = rest;
    other.size = other.consumed = 0;
}

Error Connection::body_failure() const {
    if (timed_out_) return body_too_slow(loop_.common().config);
    if (!parser_.failure().message.empty()) return parser_.failure();
    return Error{ErrorCode::invalid_request, "the request's body ended early", {}}.with_hint(
        "the connection ended before all bytes of Content-Length, or the last chunk, had come");
}

std::shared_ptr<const Error> Connection::shared_body_failure() const {
    return std::make_shared<const Error>(body_failure());
}

// What came in the same packets as the head.
void Connection::take_buffered(RawBuffer& raw) {
    if (begin_ == end_) return;
    const std::uint64_t wanted = parser_.body_remaining().value_or(UINT64_MAX);
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(end_ - begin_, wanted));
    if (raw.capacity - raw.size < count) raw.make_room(count);
    std::memcpy(raw.data.get() + raw.size, buffer_.get() + begin_, count);
    raw.size += count;
    begin_ += count;
}

// After a chunked body, bytes of the next request may have been read: back to where heads are read from. The head of
// the request at hand is still being looked at, so its buffer must not move.
void Connection::give_back(RawBuffer& raw) {
    const std::size_t rest = raw.size - raw.consumed;
    if (rest > 0) {
        after_body_.assign(reinterpret_cast<const char*>(raw.data.get() + raw.consumed), rest);
        raw.size = raw.consumed;
    }
}

Task<bool> Connection::send_continue() {
    sent_continue_ = true;
    std::string_view rest = "HTTP/1.1 100 Continue\r\n\r\n";
    while (!rest.empty()) {
        const Sent sent = send_memory(rest, {});
        if (sent == Sent::failed) co_return false;
        if (sent == Sent::all) break;
        wait_for(Wait::write);
        const bool ready = co_await socket_is(Ready::to_write);
        wait_for(Wait::none);
        if (!ready) co_return false;
    }
    co_return true;
}

Task<bool> Connection::receive_body(RawBuffer& raw) {
    if (parser_.expects_continue() && !sent_continue_ && !parser_.is_http_1_0()) {
        if (!co_await send_continue()) co_return false;
    }
    // Never more than the body, so that what follows it stays where heads are read from.
    const std::uint64_t pending = raw.size - raw.consumed;
    const std::uint64_t wanted = parser_.body_remaining().value_or(UINT64_MAX) - pending;
    const auto space = static_cast<std::size_t>(std::min<std::uint64_t>(raw.capacity - raw.size, wanted));
    // One span goes on over many receives: only what comes within it counts, not that something does.
    if (wait_ != Wait::body) wait_for(Wait::body);
    const std::size_t bytes = co_await receive({reinterpret_cast<char*>(raw.data.get()) + raw.size, space});
    raw.size += bytes;
    body_bytes_waited_for_ += bytes;
    co_return bytes > 0;
}

// The next decoded bytes of the body; they lie in `raw` until it is read into again.
Task<Connection::BodyRead> Connection::read_body(RawBuffer& raw) {
    raw.make_room(first_raw_bytes);
    take_buffered(raw);
    for (;;) {
        const std::span<std::uint8_t> undecoded(raw.data.get() + raw.consumed, raw.size - raw.consumed);
        const RequestParser::BodyStep step = parser_.parse_body(undecoded);
        raw.consumed += step.consumed;
        if (step.progress == RequestParser::Progress::failed) {
            wait_for(Wait::none);
            body_failed_ = true;
            co_return BodyRead{};
        }
        const bool done = step.progress == RequestParser::Progress::done;
        if (done) {
            wait_for(Wait::none);
            give_back(raw);
        }
        if (done || !step.data.empty()) co_return BodyRead{true, done, step.data};
        raw.make_room(first_raw_bytes);
        if (!co_await receive_body(raw)) {
            wait_for(Wait::none);
            body_failed_ = true;
            co_return BodyRead{};
        }
    }
}

Task<std::shared_ptr<const Error>> Connection::collect_body(std::size_t limit) {
    collected_.clear();
    const std::size_t buffered = end_ - begin_;
    if (const auto length = parser_.content_length(); length && *length <= buffered) {
        // All of it came with the head: nothing to copy.
        auto* raw = reinterpret_cast<std::uint8_t*>(buffer_.get() + begin_);
        const auto step = parser_.parse_body({raw, static_cast<std::size_t>(*length)});
        begin_ += step.consumed;
        request_.body = {reinterpret_cast<const char*>(step.data.data()), step.data.size()};
        co_return nullptr;
    }
    RawBuffer raw;
    while (!parser_.body_done()) {
        const BodyRead read = co_await read_body(raw);
        if (!read.ok) co_return shared_body_failure();
        if (collected_.size() + read.data.size() > limit) co_return too_large(limit);
        collected_.append(reinterpret_cast<const char*>(read.data.data()), read.data.size());
    }
    request_.body = collected_;
    co_return nullptr;
}

// After an answer that did not need the body: reads the little that is left, so that the connection lives on.
Task<Connection::Step> Connection::discard_body() {
    RawBuffer raw;
    while (!parser_.body_done()) {
        const BodyRead read = co_await read_body(raw);
        if (!read.ok) co_return Step::close;
    }
    co_return next_request();
}

// Closing a socket with unread bytes resets it, and a reset can overtake the answer. So say that no more will come,
// and read what still does for a while.
Task<void> Connection::linger() {
    ::shutdown(socket_.get(), SHUT_WR);
    const Clock::time_point until = Clock::now() + longest_linger;
    std::size_t left = most_lingering_bytes;
    begin_ = end_ = 0;
    while (!aborted_ && !loop_.common().draining.load(std::memory_order_relaxed) && Clock::now() < until) {
        wait_for(Wait::linger);
        const std::size_t bytes = co_await receive({buffer_.get(), capacity_});
        if (bytes == 0 || bytes > left) break;
        left -= bytes;
    }
    wait_for(Wait::none);
}

}  // namespace tessera::http
