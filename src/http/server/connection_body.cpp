// Request bodies: received, decoded, collected or thrown away.
#include <algorithm>

#include "http/message/refusals.hpp"
#include "http/server/busy.hpp"
#include "http/server/connection_input.hpp"

namespace tessera::http {
namespace {

// What an answer may leave unread and still keep its connection.
constexpr std::uint64_t most_discarded_bytes = 64 << 10;

}  // namespace

bool ConnectionInput::body_is_cheap_to_discard() const {
    if (body_.failed || (parser_.expects_continue() && !body_.continue_sent)) return false;
    const auto remaining = parser_.body_remaining();
    return remaining && *remaining <= most_discarded_bytes;
}

Error ConnectionInput::body_failure() const {
    if (body_.too_late) return body_too_slow(common_.config);
    if (!parser_.failure().message.empty()) return parser_.failure();
    return Error{ErrorCode::invalid_request, "the request's body ended early", {}}.with_hint(
        "the connection ended before all bytes of Content-Length, or the last chunk, had come");
}

ConnectionInput::BodyRead ConnectionInput::failed() {
    socket_.set_deadline(Deadline::none);
    body_.failed = true;
    return {};
}

// What came in the same packets as the head.
void ConnectionInput::take_buffered(RawBuffer& raw) {
    if (buffer_.empty()) return;
    const std::string_view unread = buffer_.unread_text();
    const std::uint64_t wanted = parser_.body_remaining().value_or(UINT64_MAX);
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(unread.size(), wanted));
    raw.append(unread.substr(0, count));
    buffer_.read(count);
}

// After a chunked body, bytes of the next request may have been read: back to where heads are read from. The head of
// the request at hand is still being looked at, so its buffer must not move.
void ConnectionInput::give_back(RawBuffer& raw) {
    const std::span<const std::uint8_t> rest = raw.undecoded();
    if (rest.empty()) return;
    after_body_.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
    raw.drop_undecoded();
}

Task<bool> ConnectionInput::send_continue() {
    body_.continue_sent = true;
    std::string_view rest = "HTTP/1.1 100 Continue\r\n\r\n";
    while (!rest.empty()) {
        if (const auto sent = socket_.send(rest)) {
            rest.remove_prefix(*sent);
            continue;
        }
        if (!socket_.is_full()) co_return false;
        socket_.set_deadline(Deadline::write);
        const Woken woken = co_await socket_.ready(Direction::out);
        socket_.set_deadline(Deadline::none);
        body_.too_late = woken == Woken::too_late;
        if (woken != Woken::ready) co_return false;
    }
    co_return true;
}

// Never more than the body, so that what follows it stays where heads are read from.
std::span<char> ConnectionInput::space_for_body(const RawBuffer& raw) const {
    const std::uint64_t wanted = parser_.body_remaining().value_or(UINT64_MAX) - raw.undecoded().size();
    const std::span<char> space = raw.space();
    return space.first(static_cast<std::size_t>(std::min<std::uint64_t>(space.size(), wanted)));
}

Task<ConnectionInput::BodyRead> ConnectionInput::read_body(RawBuffer& raw) {
    raw.make_room(RawBuffer::least_room);
    take_buffered(raw);
    for (;;) {
        const RequestParser::BodyStep step = parser_.parse_body(raw.undecoded());
        raw.decode(step.consumed);
        if (step.progress == RequestParser::Progress::failed) co_return failed();
        const bool done = step.progress == RequestParser::Progress::done;
        if (done) {
            socket_.set_deadline(Deadline::none);
            give_back(raw);
        }
        if (done || !step.data.empty()) co_return BodyRead{true, done, step.data};
        raw.make_room(RawBuffer::least_room);
        if (parser_.expects_continue() && !body_.continue_sent && !parser_.is_http_1_0()) {
            if (!co_await send_continue()) co_return failed();
        }
        // One span goes on over many receives: only what comes within it counts, not that something does.
        if (socket_.deadline() != Deadline::body) socket_.set_deadline(Deadline::body);
        std::optional<std::size_t> bytes;
        while (!bytes) {
            const Woken woken = co_await socket_.ready(Direction::in);
            body_.too_late = woken == Woken::too_late;
            if (woken != Woken::ready) co_return failed();
            bytes = socket_.receive(space_for_body(raw));
        }
        if (*bytes == 0) co_return failed();
        raw.add(*bytes);
    }
}

std::optional<std::string_view> ConnectionInput::body_at_hand() {
    const std::span<char> unread = buffer_.unread();
    const auto remaining = parser_.body_remaining();
    if (!remaining || *remaining > unread.size()) return std::nullopt;
    const auto step =
        parser_.parse_body({reinterpret_cast<std::uint8_t*>(unread.data()), static_cast<std::size_t>(*remaining)});
    buffer_.read(step.consumed);
    return std::string_view(reinterpret_cast<const char*>(step.data.data()), step.data.size());
}

Task<Result<std::string>> ConnectionInput::collect_body(std::size_t limit) {
    std::string body;
    RawBuffer raw;
    while (!parser_.body_done()) {
        const BodyRead read = co_await read_body(raw);
        if (!read.ok) co_return body_failure();
        if (body.size() + read.data.size() > limit) co_return body_too_large(limit);
        body.append(reinterpret_cast<const char*>(read.data.data()), read.data.size());
    }
    co_return body;
}

// Reads the little that is left, so that the connection lives on.
Task<bool> ConnectionInput::discard_body() {
    RawBuffer raw;
    while (!parser_.body_done()) {
        const BodyRead read = co_await read_body(raw);
        if (!read.ok) co_return false;
    }
    co_return true;
}

}  // namespace tessera::http
