#include "webhooks/address_rules.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tessera::webhooks {
namespace {

NetworkList parsed(const std::vector<std::string>& blocks) {
    return NetworkList::parse(blocks).value();
}

// The special-purpose registries of IANA, less what is reachable from everywhere.
const NetworkList& special_v4() {
    static const NetworkList list = parsed({
        "0.0.0.0/8",        // this network
        "10.0.0.0/8",       // private
        "100.64.0.0/10",    // shared by a provider's customers
        "127.0.0.0/8",      // loopback
        "169.254.0.0/16",   // link-local, and the metadata of clouds
        "172.16.0.0/12",    // private
        "192.0.0.0/24",     // protocol assignments
        "192.0.2.0/24",     // documentation
        "192.88.99.0/24",   // relays of 6to4
        "192.168.0.0/16",   // private
        "198.18.0.0/15",    // benchmarks
        "198.51.100.0/24",  // documentation
        "203.0.113.0/24",   // documentation
        "224.0.0.0/4",      // multicast
        "240.0.0.0/4",      // reserved, and broadcast
    });
    return list;
}

const NetworkList& global_v6() {
    static const NetworkList list = parsed({"2000::/3"});
    return list;
}

const NetworkList& special_v6() {
    static const NetworkList list = parsed({
        "2001::/23",      // protocol assignments, Teredo among them
        "2001:db8::/32",  // documentation
        "2002::/16",      // 6to4, which holds any IPv4 address
        "3fff::/20",      // documentation
    });
    return list;
}

const NetworkList& translated_v4() {
    static const NetworkList list = parsed({"64:ff9b::/96"});  // NAT64: the last four bytes are the IPv4 address
    return list;
}

IpAddress last_four_bytes_of(const IpAddress& address) {
    IpAddress inner = IpAddress::parse("0.0.0.0").value();
    std::copy(address.bytes.end() - 4, address.bytes.end(), inner.bytes.end() - 4);
    return inner;
}

}  // namespace

bool is_public(const IpAddress& address) {
    if (address.is_v4()) return !special_v4().contains(address);
    if (translated_v4().contains(address)) return is_public(last_four_bytes_of(address));
    return global_v6().contains(address) && !special_v6().contains(address);
}

std::optional<IpAddress> address_in(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof v4);
        IpAddress found = IpAddress::parse("0.0.0.0").value();
        std::memcpy(found.bytes.data() + 12, &v4.sin_addr, 4);
        return found;
    }
    if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof v6);
        IpAddress found;
        std::memcpy(found.bytes.data(), &v6.sin6_addr, 16);
        return found;
    }
    return std::nullopt;
}

}  // namespace tessera::webhooks
