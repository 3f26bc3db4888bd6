// Addresses: where to listen, who may speak for others, and whose request it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/network.hpp"
#include "core/result.hpp"
#include "http/message/header_lines.hpp"

namespace tessera::http {

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080", ":8080" (every address).
struct ListenAddress {
    std::string host;  // without brackets
    std::uint16_t port = 0;

    static Result<ListenAddress> parse(std::string_view text);
    // Whether this machine alone can connect: a loopback address, or the name localhost.
    [[nodiscard]] bool is_loopback() const;
};

// The client before trusted proxies: X-Forwarded-For is read from its end, and the first address that is not a
// trusted proxy's is the client. `peer` itself when it is not trusted or the header says nothing usable.
IpAddress client_behind_proxies(const IpAddress& peer, ListFromEnd forwarded_for, const NetworkList& trusted);

}  // namespace tessera::http
