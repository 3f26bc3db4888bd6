#include "http/message/arrival.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "http/message/address.hpp"

namespace tessera::http {
namespace {

std::string address_of(const sockaddr_storage& name) {
    if (name.ss_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &name, sizeof v6);
        IpAddress address;
        std::memcpy(address.bytes.data(), &v6.sin6_addr, address.bytes.size());
        const std::string host = address.to_string();
        return (address.is_v4() ? host : "[" + host + "]") + ":" + std::to_string(ntohs(v6.sin6_port));
    }
    sockaddr_in v4{};
    std::memcpy(&v4, &name, sizeof v4);
    IpAddress address;
    address.bytes[10] = address.bytes[11] = 0xff;
    std::memcpy(address.bytes.data() + 12, &v4.sin_addr, 4);
    return address.to_string() + ":" + std::to_string(ntohs(v4.sin_port));
}

}  // namespace

const std::string& Arrival::address() const {
    if (address_.empty()) {
        sockaddr_storage name{};
        socklen_t length = sizeof name;
        const bool known = ::getsockname(socket_, reinterpret_cast<sockaddr*>(&name), &length) == 0;
        address_ = known ? address_of(name) : "localhost";
    }
    return address_;
}

}  // namespace tessera::http
