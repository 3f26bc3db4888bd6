// One client. Requests that can be answered at once are, straight from the poller; bodies, blocking handlers and slow
// readers take the coroutines below. Everything here runs on the connection's loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "http/message/arrival.hpp"
#include "http/message/request_id.hpp"
#include "http/server/loop.hpp"
#include "http/server/poller.hpp"

namespace tessera::http {

// Undecoded bytes of a body. Grows while a client keeps filling it, so that slow ones hold little.
struct RawBuffer {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t capacity = 0;
    std::size_t size = 0;      // received
    std::size_t consumed = 0;  // of those, decoded already

    void make_room(std::size_t free_bytes);
    void take_rest_of(RawBuffer& other);  // what the other one did not decode
};

class Connection final : public Waiter, public Watched, public ConnectionHook {
  public:
    // One that is turned away is told that there are too many, and goes.
    enum class Welcome { served, turned_away };
    Connection(Loop& loop, UniqueFd socket, const IpAddress& peer, const Site& site, Welcome welcome,
               AddressConnections::Place place);
    ~Connection();

    // From here on it ends itself.
    static void start(std::unique_ptr<Connection> self);
    [[nodiscard]] bool is_turned_away() const { return turned_away_; }

    void on_ready(std::uint32_t events) override;
    void on_deadline() override;
    void abort();

  private:
    // What has to be done next.
    enum class Step { receive, read, give_up, turn_away, flush, slow, discard, next, linger, close };
    enum class Wait { none, idle, head, body, write, linger };
    enum class Sent { all, blocked, cold, failed };
    using Clock = std::chrono::steady_clock;

    // connection_socket.cpp
    enum class Ready { never, to_read, to_write };
    // These may be the end of this connection.
    void end();
    void drive(Step step);
    void go_on(bool ready);
    void cancel_wait();

    void drive_slowly(Step step);
    Task<Step> slow_steps(Step step);
    void await_socket(Ready what);
    Task<bool> socket_is(Ready what);  // false: the wait was cancelled
    std::optional<std::size_t> receive_some(std::span<char> space);
    Task<std::size_t> receive(std::span<char> space);  // 0: there is no more, or the wait was cancelled

    // connection.cpp: heads, routing, what is answered at once
    Step advance();
    Step receive_head();
    Step head_did_not_come();
    Step refuse_for_lack_of_room();
    Step refuse_for_lack_of_threads();
    Step handle();
    Step route();
    Step run_on_loop();
    Step answer_options();
    Step take_last_chance();
    void begin_request();
    void skip_blank_lines();
    void make_room_for_head();
    void wait_for(Wait what);

    // connection_slow.cpp: the pool
    Task<Step> handle_slowly();

    // connection_body.cpp
    struct BodyRead {
        bool ok = false;
        bool done = false;
        std::span<const std::uint8_t> data = {};
    };
    Task<BodyRead> read_body(RawBuffer& raw);
    Task<bool> receive_body(RawBuffer& raw);
    Task<bool> send_continue();
    Task<std::shared_ptr<const Error>> collect_body(std::size_t limit);
    Task<Step> discard_body();
    Task<void> linger();
    void take_buffered(RawBuffer& raw);
    void give_back(RawBuffer& raw);
    [[nodiscard]] Error body_failure() const;
    [[nodiscard]] std::shared_ptr<const Error> shared_body_failure() const;

    // connection_sink.cpp
    struct SinkTurn;
    Task<Step> stream_body();
    Task<Result<void>> feed(BodySink& sink);
    Task<Result<void>> feed(BodySink& sink, std::span<RawBuffer, 2> buffers, SinkTurn& turn);
    void start_turn(SinkTurn& turn, BodySink& sink, std::span<const std::uint8_t> data);
    Task<void> end_of_turn(SinkTurn& turn);

    // connection_write.cpp
    Step respond(Response&& response);
    Step refuse(Error error);
    Step refuse(std::shared_ptr<const Error> error);
    Step finish_response();
    Step next_request();
    void join_what_followed();
    void shrink_when_idle();
    Task<Step> flush();
    void settle(Response& response);
    Sent send_some(std::string_view& head);
    Sent not_sent();  // by errno
    Sent send_memory(std::string_view& head, std::string_view body);
    // A part of a file; `is_resident` where it need not be asked whether it is in memory.
    struct FilePart {
        int file = -1;
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        bool is_resident = false;
    };
    Sent send_file(std::string_view& head, const FilePart& part);
    [[nodiscard]] bool body_is_cheap_to_discard() const;
    [[nodiscard]] std::string_view unread() const { return {buffer_.get() + begin_, end_ - begin_}; }

    Loop& loop_;
    const Site& site_;
    UniqueFd socket_;
    std::unique_ptr<Connection> self_;
    const AddressConnections::Place place_;  // its own among those of its address
    const bool turned_away_;
    bool readable_ = false;  // may have bytes for us
    bool writable_ = true;   // may take bytes from us
    bool input_ended_ = false;
    Ready waits_for_ = Ready::never;
    std::function<void(bool)> resume_;  // the coroutine that waits; none: the next head is waited for
    RequestParser parser_;

    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;  // first byte not yet understood
    std::size_t end_ = 0;

    Arrival arrival_;
    IpAddress peer_;
    IpAddress client_;
    std::string client_text_;
    bool peer_is_proxy_ = false;

    Wait wait_ = Wait::none;
    bool timed_out_ = false;
    bool aborted_ = false;

    // The request at hand.
    Request request_;
    RequestId request_id_;
    Clock::time_point started_at_;
    RouteStats* stats_ = nullptr;
    std::string gate_headers_;
    std::string collected_;  // its body, when that did not come with the head
    std::uint64_t body_bytes_waited_for_ = 0;
    bool admitted_ = false;
    bool tried_on_loop_ = false;
    bool sent_continue_ = false;
    bool body_failed_ = false;
    std::string after_body_;  // of the next request, read along with a chunked body
    bool keep_alive_ = false;

    // The response being sent.
    int status_ = 0;
    std::optional<ErrorCode> error_code_;
    std::optional<Uuid> job_;  // that it tells of
    std::string unsent_head_;
    Sent sent_ = Sent::all;
    ResponseBody body_;
    std::uint64_t body_sent_ = 0;
    std::uint64_t in_memory_until_ = 0;  // that far the file was read in just now
    std::uint64_t response_bytes_ = 0;
};

}  // namespace tessera::http
