// Addresses: where to listen, who may speak for others, and whose request it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "http/header_lines.hpp"

namespace tessera::http {

// An IP address in sixteen bytes; IPv4 ones are kept as ::ffff:a.b.c.d, so that both families compare alike.
struct IpAddress {
    std::array<std::uint8_t, 16> bytes{};

    static std::optional<IpAddress> parse(std::string_view text);
    [[nodiscard]] bool is_v4() const;
    [[nodiscard]] bool is_loopback() const;  // 127.0.0.0/8 and ::1
    [[nodiscard]] std::string to_string() const;
    bool operator==(const IpAddress&) const = default;
};

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080", ":8080" (every address).
struct ListenAddress {
    std::string host;  // without brackets
    std::uint16_t port = 0;

    static Result<ListenAddress> parse(std::string_view text);
    // Whether this machine alone can connect: a loopback address, or the name localhost.
    [[nodiscard]] bool is_loopback() const;
};

// A set of networks in CIDR notation.
class NetworkList {
  public:
    static Result<NetworkList> parse(std::span<const std::string> blocks);
    [[nodiscard]] bool contains(const IpAddress& address) const;
    [[nodiscard]] bool empty() const { return blocks_.empty(); }

  private:
    struct Block {
        IpAddress network;
        unsigned prefix = 0;  // bits, counted in sixteen bytes
    };
    std::vector<Block> blocks_;
};

// The client before trusted proxies: X-Forwarded-For is read from its end, and the first address that is not a
// trusted proxy's is the client. `peer` itself when it is not trusted or the header says nothing usable.
IpAddress client_behind_proxies(const IpAddress& peer, ListFromEnd forwarded_for, const NetworkList& trusted);

}  // namespace tessera::http
