#include "http/server/peer.hpp"

#include "http/message/header_lines.hpp"

namespace tessera::http {

Peer::Peer(const IpAddress& address, int socket, const NetworkList& trusted_proxies)
    : trusted_proxies_(trusted_proxies),
      arrival_(socket),
      address_(address),
      is_proxy_(trusted_proxies.contains(address)),
      client_(address),
      client_text_(address.to_string()) {}

void Peer::introduce(Request& request) {
    if (is_proxy_) {
        client_ = client_behind_proxies(address_, ListFromEnd(request.headers, "X-Forwarded-For"), trusted_proxies_);
        client_text_ = client_.to_string();
    }
    request.client_ip = client_text_;
    request.client_address = client_.bytes;
    request.arrival = &arrival_;
    request.vouched_for = is_proxy_;
}

}  // namespace tessera::http
