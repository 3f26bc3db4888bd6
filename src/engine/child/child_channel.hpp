// The child's end of a connection to its host: plain blocking calls.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"

namespace tessera::engine {

struct ReceivedFrame {
    std::string body;
    std::vector<UniqueFd> files;
};

class ChildChannel {
  public:
    explicit ChildChannel(int socket) : socket_(socket) {}  // does not own it

    // Both end with nothing or false when the host is gone: there is nobody left to tell.
    [[nodiscard]] bool send(std::string_view body) const;
    [[nodiscard]] std::optional<ReceivedFrame> receive() const;
    // False when the host has sent nothing for so long.
    [[nodiscard]] bool hears_within(std::chrono::milliseconds patience) const;

  private:
    bool fill(std::span<std::uint8_t> bytes, std::vector<UniqueFd>& files) const;
    int socket_;
};

}  // namespace tessera::engine
