// What a client sends on a connection: heads, and the bodies behind them.
//
//                 ┌─▶ none, partial ─▶ receive_head() ─▶ next_head()
//   next_head() ──┼─▶ malformed: head().failure()
//        ▲        └─▶ complete ─▶ take_head() ─▶ body_at_hand(), collect_body()  all of it at once
//        │                                       read_body()…                    piece by piece
//        │                                       discard_body()                  what an answer did not need
//   next_request() ◀─────────────────────────────────┘
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/result.hpp"
#include "http/message/parser.hpp"
#include "http/server/connection_socket.hpp"
#include "http/server/raw_buffer.hpp"
#include "http/server/receive_buffer.hpp"
#include "http/server/task.hpp"

namespace tessera::http {

class ConnectionInput {
  public:
    ConnectionInput(const Common& common, ConnectionSocket& socket);

    // Heads.
    enum class Head { none, partial, complete, malformed };
    Head next_head();  // in what was received
    enum class Received { nothing_yet, bytes, end };
    Received receive_head();
    // When nothing is unread and nothing more is waited for: whether there are bytes of a request all the same.
    bool receive_late_head();
    [[nodiscard]] const RequestParser& head() const { return parser_; }
    void take_head() { buffer_.read(parser_.head_size()); }  // it is looked at until next_request()

    // Bodies.
    struct BodyRead {
        bool ok = false;
        bool done = false;
        std::span<const std::uint8_t> data = {};
    };
    // The next decoded bytes; they lie in `raw` until it is read into again.
    Task<BodyRead> read_body(RawBuffer& raw);
    // All of it, where it came with its head: nothing to copy, and nothing to wait for.
    std::optional<std::string_view> body_at_hand();
    Task<Result<std::string>> collect_body(std::size_t limit);
    Task<bool> discard_body();
    [[nodiscard]] bool body_done() const { return parser_.body_done(); }
    [[nodiscard]] bool body_is_cheap_to_discard() const;
    [[nodiscard]] Error body_failure() const;
    // While the body is read: it is not the client who is slow, or it need not send any more.
    void stop_deadline() { socket_.set_deadline(Deadline::none); }
    void stop_receiving() { socket_.cancel(); }

    [[nodiscard]] bool all_was_read() const { return body_done() && buffer_.empty() && after_body_.empty(); }
    void next_request();
    // Reads on for a while after the last answer, and says how many bytes.
    Task<std::size_t> linger();

  private:
    std::span<char> space_for_body(const RawBuffer& raw) const;
    Task<bool> send_continue();
    void take_buffered(RawBuffer& raw);
    void give_back(RawBuffer& raw);
    BodyRead failed();

    // How far the body at hand is.
    struct Body {
        bool continue_sent = false;
        bool failed = false;
        bool too_late = false;
    };

    const Common& common_;
    ConnectionSocket& socket_;
    RequestParser parser_;
    ReceiveBuffer buffer_;
    Body body_;
    std::string after_body_;  // of the next request, read along with a chunked body
};

}  // namespace tessera::http
