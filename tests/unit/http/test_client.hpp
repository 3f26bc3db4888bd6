// A client of few words for tests: plain sockets, deadlines on everything.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/file.hpp"
#include "support/eventually.hpp"

namespace tessera::http::test {

using tessera::test::patience;

struct Reply {
    int status = 0;
    std::string head;
    std::string body;
    [[nodiscard]] std::string header(std::string_view name) const;  // empty when absent
};

class Client {
  public:
    explicit Client(const std::string& address);  // "127.0.0.1:1234" or "[::1]:1234"

    void send(std::string_view bytes);
    // False when the other side no longer takes any.
    bool try_send(std::string_view bytes);
    // Reads one response, with the body that its Content-Length says (none for HEAD).
    std::optional<Reply> read(bool head_only = false);
    // Reads whatever comes until the other side closes.
    std::string read_to_end();
    // Whether the other side closes within the deadline, whatever it sends before.
    bool is_closed();
    [[nodiscard]] int descriptor() const { return socket_.get(); }
    [[nodiscard]] bool has_something() const;  // to read, now
    void reset();                              // closes with a reset
    void finish_sending();

  private:
    bool fill();

    UniqueFd socket_;
    std::string buffer_;
};

std::string get(std::string_view path, std::string_view headers = "");
Reply ask(const std::string& address, std::string_view request, bool head_only = false);
using tessera::test::eventually;

}  // namespace tessera::http::test
