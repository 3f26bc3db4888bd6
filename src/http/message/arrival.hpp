// The address that a connection came to: ours, whatever a request says of it.
#pragma once

#include <string>

namespace tessera::http {

class Arrival {
  public:
    explicit Arrival(int socket) : socket_(socket) {}

    // "127.0.0.1:8080" or "[::1]:8080"; asked of the kernel once, when somebody wants it.
    [[nodiscard]] const std::string& address() const;

  private:
    int socket_;
    mutable std::string address_;
};

}  // namespace tessera::http
