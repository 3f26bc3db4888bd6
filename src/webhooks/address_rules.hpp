// Which addresses webhooks may go to: those of the open internet, and no other machine of our own network.
#pragma once

#include "core/network.hpp"

struct sockaddr;

namespace tessera::webhooks {

// False for loopback, private, link-local, shared, multicast, unspecified, documentation and reserved ranges, in IPv4,
// in IPv6 and in IPv4 inside IPv6.
bool is_public(const IpAddress& address);

// Empty when it is neither IPv4 nor IPv6.
std::optional<IpAddress> address_in(const sockaddr& address);

}  // namespace tessera::webhooks
