// The socket of a connection: bytes in and out as far as they go at once, and the one wait at a time until more do. Its
// deadline is of a kind; all of a kind give a client equally long.
//
//   at work ──ready(what)──▶ waits ──▶ ready       the poller says so; or it was already, and the others had their turn
//      ▲                       ├─────▶ too_late    the deadline has struck
//      │                       └─────▶ cancelled   by cancel() or abort()
//      └─────────────────────────────────┘
#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/file.hpp"
#include "http/server/loop.hpp"
#include "http/server/poller.hpp"
#include "http/server/timeouts.hpp"

namespace tessera::http {

enum class Direction : std::uint8_t { in, out };
enum class Woken : std::uint8_t { ready, too_late, cancelled };
enum class Deadline : std::uint8_t { none, idle, head, body, write, linger };

class ConnectionSocket final : private Watched, private Waiter {
  public:
    // Told when a wait ends that is no coroutine's. It may end the socket.
    class Owner {
      public:
        virtual void on_woken(Woken woken) = 0;
        // The client sends no more, and nobody waits for the socket.
        virtual void on_input_ended() = 0;

      protected:
        ~Owner() = default;
    };

    ConnectionSocket(Loop& loop, UniqueFd socket, Owner& owner);
    ~ConnectionSocket();
    ConnectionSocket(const ConnectionSocket&) = delete;
    ConnectionSocket& operator=(const ConnectionSocket&) = delete;

    // From here on the owner is told. Throws std::system_error when the kernel has no room.
    void start();

    // Nothing when there is nothing yet; 0 when there will not be any more.
    std::optional<std::size_t> receive(std::span<char> space);
    // How much was taken; nothing when none was, because it is full or because it failed.
    std::optional<std::size_t> send(std::string_view head, std::string_view body = {});
    std::optional<std::size_t> send_before_file(std::string_view head);
    std::optional<std::size_t> send_file(int file, std::uint64_t offset,
                                         std::uint64_t length);  // 0: the file has ended
    [[nodiscard]] Loop& loop() const { return loop_; }
    [[nodiscard]] bool is_full() const { return !writable_; }
    [[nodiscard]] bool input_ended() const { return input_ended_; }
    void end_output();

    // The owner is told when there may be bytes.
    void wait_for_input() { wait(Direction::in, nullptr); }
    // To be awaited.
    class Ready;
    Ready ready(Direction direction);
    void cancel();
    void abort();
    [[nodiscard]] bool is_aborted() const { return aborted_; }

    // Anew from now; for Deadline::body, so often as enough bytes have come.
    void set_deadline(Deadline kind);
    [[nodiscard]] Deadline deadline() const { return deadline_; }

  private:
    void wait(Direction direction, std::coroutine_handle<> coroutine);
    void go_on(Woken woken);
    std::optional<std::size_t> taken(ssize_t bytes);
    void on_ready(std::uint32_t events) override;
    void on_deadline() override;

    Loop& loop_;
    Owner& owner_;
    const UniqueFd socket_;
    bool readable_ = false;  // may have bytes for us
    bool writable_ = true;   // may take bytes from us
    bool input_ended_ = false;
    bool aborted_ = false;
    Woken woken_ = Woken::ready;
    Deadline deadline_ = Deadline::none;
    std::optional<Direction> waits_for_;
    std::coroutine_handle<> coroutine_;  // the one that waits; none: the owner does
    std::uint64_t received_ = 0;         // since the deadline was set
};

class ConnectionSocket::Ready {
  public:
    Ready(ConnectionSocket& socket, Direction direction) : socket_(socket), direction_(direction) {}

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) { socket_.wait(direction_, coroutine); }
    [[nodiscard]] Woken await_resume() const noexcept { return socket_.woken_; }

  private:
    ConnectionSocket& socket_;
    Direction direction_;
};

inline ConnectionSocket::Ready ConnectionSocket::ready(Direction direction) {
    return {*this, direction};
}

}  // namespace tessera::http
