// Listening sockets, one per loop and address, among which the kernel spreads new connections.
#pragma once

#include <string>
#include <vector>

#include "core/file.hpp"
#include "core/result.hpp"
#include "http/message/address.hpp"

namespace tessera::http {

struct BoundAddress {
    std::string text;               // as really bound: "127.0.0.1:40123"
    std::vector<UniqueFd> sockets;  // one per loop; non-blocking
};

// Binds `address` once for each of `loops`. An address that another process listens on is refused, although sockets
// that share a port would let us in. `only_v6` keeps an IPv6 address from taking IPv4 as well.
Result<BoundAddress> bind_for_loops(const ListenAddress& address, std::size_t loops, bool only_v6);

}  // namespace tessera::http
