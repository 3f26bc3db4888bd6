// Who is at the other end of a connection, where they came to, and whom they speak for.
#pragma once

#include <string>

#include "http/message/address.hpp"
#include "http/message/arrival.hpp"
#include "http/message/request.hpp"

namespace tessera::http {

class Peer {
  public:
    Peer(const IpAddress& address, int socket, bool is_trusted_proxy);

    // Says in a request, whose headers are known, whose it is. The request looks at this until it is gone.
    void introduce(Request& request, const NetworkList& trusted_proxies);

  private:
    const Arrival arrival_;
    const IpAddress address_;
    const bool is_proxy_;
    std::string client_;  // as text
};

}  // namespace tessera::http
