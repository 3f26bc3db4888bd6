// One client: drives its input, the request at hand and its output. What can be answered at once is, straight from the
// poller; bodies, blocking handlers and slow readers take a coroutine, which is there only as long as it is needed.
// Everything here runs on the connection's loop.
//
//   start ─▶ next ──a head──▶ (handler on the loop) ─┬─▶ (answered) ─┬─▶ next                the connection is kept
//   │         │ ▲             └──────────▶ work ──────┘    │     ▲    ├─▶ discard ─▶ next    and a body is not read yet
//   │  no head│ │bytes                 not all sent, more  ▼     │    ├─▶ linger ─▶ close    it may be sending still
//   │         ▼ │                                flush, stream ──┘    └─▶ close
//   │      receive ─▶ read
//   │         └─ too late ─▶ give_up ─▶ (refused)
//   └─ too many connections ─▶ turn_away ─▶ (refused)
//
// work, flush, stream, discard and linger are coroutines; go_on is what comes after one that had to wait.
#pragma once

#include <memory>
#include <optional>

#include "http/server/connection_input.hpp"
#include "http/server/connection_output.hpp"
#include "http/server/connection_socket.hpp"
#include "http/server/current_request.hpp"
#include "http/server/loop.hpp"
#include "http/server/peer.hpp"
#include "http/server/task.hpp"

namespace tessera::http {

class Connection final : public ConnectionHook, private ConnectionSocket::Owner {
  public:
    // One that is turned away is told that there are too many, and goes.
    enum class Welcome { served, turned_away };
    Connection(Loop& loop, UniqueFd socket, const IpAddress& peer, const Site& site, Welcome welcome,
               AddressConnections::Place place);
    ~Connection();

    // From here on it ends itself.
    static void start(std::unique_ptr<Connection> self);
    [[nodiscard]] bool is_turned_away() const { return turned_away_; }

    // Whatever its request waits for beside the client is over.
    void hurry();
    void abort();

  private:
    // What has to be done next.
    enum class Step { turn_away, next, receive, read, give_up, work, flush, stream, discard, linger, go_on, close };

    // connection.cpp: from one step to the next. The first four may be the end of this connection.
    void on_woken(Woken woken) override;
    void on_input_ended() override { hurry(); }
    void drive(Step step);
    void take_steps(Step step);
    void end();
    Task<Step> slow_step(Step step);
    Task<Step> flush();
    Task<Step> stream();
    Task<bool> wait_for(Waited& waited);
    Task<Step> discard();
    Task<Step> linger();
    Step look_for_head();
    Step receive_head();
    Step head_did_not_come();
    Step take_last_chance();
    Step refuse_for_lack_of_room();
    Step next_request();
    [[nodiscard]] bool is_draining() const;

    // connection_request.cpp: what the request at hand is answered.
    void begin_request();
    Step handle();
    Step route();
    void begin_trace(const Route& route);
    Step run_on_loop();
    Step answer_options();
    Task<Step> work();
    Task<Step> ask_gate();
    Task<Step> hold();
    Task<Step> respond_or_wait();
    Task<Step> stream_body();
    Step refuse_for_lack_of_threads();
    Step refuse(Error error);
    Step refuse(std::shared_ptr<const Error> error);
    Step respond(Response&& response);
    Step finish_response();

    Loop& loop_;
    const Site& site_;
    std::unique_ptr<Connection> self_;
    const AddressConnections::Place place_;  // its own among those of its address
    const bool turned_away_;
    Peer peer_;
    ConnectionSocket socket_;
    ConnectionInput input_;
    ConnectionOutput output_;
    std::optional<CurrentRequest> current_;
    Waited* waited_ = nullptr;  // by the request at hand
    Task<Step> slow_step_;
};

}  // namespace tessera::http
