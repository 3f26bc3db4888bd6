// What a client is sent on a connection: a head, and a body from memory or from a file. What does not go at once is
// flushed; a file that is not in memory is read by the pool, so that the loop never waits for a disk.
//
//   send() ─┬─▶ all, failed, short_file ──────────────────────────────────────▶ finish()
//           ├─▶ blocked ─▶ flush(): waits for the socket ─────┬─▶ sends on … ──▶ finish()
//           └─▶ cold ────▶ flush(): the pool reads the part ──┘
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/message/response.hpp"
#include "http/server/connection_socket.hpp"
#include "http/server/task.hpp"

namespace tessera::http {

class ConnectionOutput {
  public:
    // `cold`: the file is not in memory; `short_file`: it is shorter than was announced.
    enum class Sent : std::uint8_t { all, blocked, cold, failed, short_file };

    explicit ConnectionOutput(ConnectionSocket& socket) : socket_(socket) {}

    // Sends what goes at once.
    Sent send(std::string_view head, ResponseBody&& body);
    Task<Sent> flush();  // the rest, or as much as the client takes in time
    Sent finish();       // lets the body go

  private:
    // A part of a file; `is_resident` where it need not be asked whether it is in memory.
    struct FileRange {
        int file = -1;
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        bool is_resident = false;
    };
    Sent send_some(std::string_view& head);
    Sent send_memory(std::string_view& head, std::string_view body);
    Sent send_file(std::string_view& head, const FileRange& range);
    [[nodiscard]] Sent not_sent() const { return socket_.is_full() ? Sent::blocked : Sent::failed; }

    ConnectionSocket& socket_;
    Sent sent_ = Sent::all;
    std::string unsent_head_;
    ResponseBody body_;
    std::uint64_t body_sent_ = 0;
    std::uint64_t in_memory_until_ = 0;  // that far the file was read in just now
};

}  // namespace tessera::http
