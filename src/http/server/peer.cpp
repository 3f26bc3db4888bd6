#include "http/server/peer.hpp"

#include "http/message/header_lines.hpp"

namespace tessera::http {

Peer::Peer(const IpAddress& address, int socket, bool is_trusted_proxy)
    : arrival_(socket), address_(address), is_proxy_(is_trusted_proxy), client_(address.to_string()) {}

void Peer::introduce(Request& request, const NetworkList& trusted_proxies) {
    request.client_address = address_.bytes;
    if (is_proxy_) {
        const auto forwarded = ListFromEnd(request.headers, "X-Forwarded-For");
        const IpAddress client = client_behind_proxies(address_, forwarded, trusted_proxies);
        client_ = client.to_string();
        request.client_address = client.bytes;
    }
    request.client_ip = client_;
    request.arrival = &arrival_;
    request.vouched_for = is_proxy_;
}

}  // namespace tessera::http
