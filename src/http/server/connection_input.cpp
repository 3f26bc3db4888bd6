#include "http/server/connection_input.hpp"

#include <chrono>

namespace tessera::http {
namespace {

// A client that still sends after it has been answered is read on for so long, so that it sees the answer.
constexpr std::size_t most_lingering_bytes = 256 << 20;
constexpr std::chrono::seconds longest_linger{15};

}  // namespace

ConnectionInput::ConnectionInput(const Common& common, ConnectionSocket& socket)
    : common_(common), socket_(socket), parser_(common.parser_limits) {}

ConnectionInput::Head ConnectionInput::next_head() {
    if (!parser_.started()) buffer_.skip_blank_lines();
    if (buffer_.empty()) return Head::none;
    switch (parser_.parse_head(buffer_.unread_text())) {
        case RequestParser::Progress::need_more: return Head::partial;
        case RequestParser::Progress::failed: return Head::malformed;
        case RequestParser::Progress::done: break;
    }
    return Head::complete;
}

ConnectionInput::Received ConnectionInput::receive_head() {
    buffer_.make_room(common_.config.max_head_bytes);
    const auto bytes = socket_.receive(buffer_.space());
    if (!bytes) return Received::nothing_yet;
    if (*bytes == 0) return Received::end;
    buffer_.add(*bytes);
    return Received::bytes;
}

// Blank lines are none.
bool ConnectionInput::receive_late_head() {
    buffer_.clear();
    buffer_.add(socket_.receive(buffer_.space()).value_or(0));
    buffer_.skip_blank_lines();
    return !buffer_.empty();
}

void ConnectionInput::next_request() {
    parser_.reset();
    body_ = {};
    if (!after_body_.empty()) {
        buffer_.put_before(after_body_);
        std::string().swap(after_body_);
    }
    buffer_.forget_read();
}

// Closing a socket with unread bytes resets it, and a reset can overtake the answer. So say that no more will come,
// and read what still does for a while.
Task<std::size_t> ConnectionInput::linger() {
    using Clock = std::chrono::steady_clock;
    socket_.end_output();
    const Clock::time_point until = Clock::now() + longest_linger;
    std::size_t read = 0;
    buffer_.clear();
    while (!socket_.is_aborted() && !common_.draining.load(std::memory_order_relaxed) && Clock::now() < until) {
        socket_.set_deadline(Deadline::linger);
        if (co_await socket_.ready(Direction::in) != Woken::ready) break;
        const std::optional<std::size_t> bytes = socket_.receive(buffer_.space());
        if (bytes == 0) break;
        read += bytes.value_or(0);
        if (read > most_lingering_bytes) break;
    }
    socket_.set_deadline(Deadline::none);
    co_return read;
}

}  // namespace tessera::http
