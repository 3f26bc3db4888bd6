#include "http/server/listen_socket.hpp"

#include "core/owned.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace tessera::http {
namespace {

constexpr int backlog = 4096;

// What to do about an address that bind() refuses.
std::string advice(int number) {
    if (number == EADDRINUSE) return "another program has it: stop that one, or name another address or port";
    if (number == EACCES) return "ports below 1024 are for root: name a higher one, or let a proxy have the low one";
    if (number == EADDRNOTAVAIL) return "this machine has no such address: name one of its own, or 0.0.0.0 for all";
    return {};
}

Error cannot_listen(const ListenAddress& address, const std::string& reason) {
    const bool is_v6 = address.host.find(':') != std::string::npos;
    const std::string host = is_v6 ? "[" + address.host + "]" : address.host;
    return {
        ErrorCode::invalid_request, "can't listen on " + host + ":" + std::to_string(address.port) + ": " + reason, {}};
}

void set_flag(int descriptor, int level, int option, int value) {
    ::setsockopt(descriptor, level, option, &value, sizeof value);
}

struct Target {
    sockaddr_storage storage{};
    socklen_t length = 0;
    [[nodiscard]] bool is_v6() const { return storage.ss_family == AF_INET6; }
    [[nodiscard]] const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&storage); }
    sockaddr* address() { return reinterpret_cast<sockaddr*>(&storage); }
};

Result<Target> resolve(const ListenAddress& address) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failed = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    if (failed != 0) return cannot_listen(address, ::gai_strerror(failed));
    const Owned<addrinfo, ::freeaddrinfo> owner(found);
    Target target;
    std::memcpy(&target.storage, found->ai_addr, found->ai_addrlen);
    target.length = found->ai_addrlen;
    return target;
}

Result<UniqueFd> bound_socket(const ListenAddress& address, const Target& target, bool only_v6, bool shared) {
    UniqueFd descriptor(::socket(target.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!descriptor) return cannot_listen(address, std::strerror(errno));
    set_flag(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, 1);
    if (target.is_v6()) set_flag(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, only_v6 ? 1 : 0);
    if (shared) set_flag(descriptor.get(), SOL_SOCKET, SO_REUSEPORT, 1);
    if (::bind(descriptor.get(), target.address(), target.length) != 0) {
        const int number = errno;
        return cannot_listen(address, std::strerror(number)).with_hint(advice(number));
    }
    return descriptor;
}

std::string text_of(const Target& target) {
    char host[NI_MAXHOST];
    char port[NI_MAXSERV];
    ::getnameinfo(target.address(), target.length, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV);
    return (target.is_v6() ? "[" + std::string(host) + "]" : std::string(host)) + ":" + port;
}

}  // namespace

Result<BoundAddress> bind_for_loops(const ListenAddress& address, std::size_t loops, bool only_v6) {
    auto target = resolve(address);
    if (!target.ok()) return std::move(target).error();
    {
        // Without SO_REUSEPORT this fails where somebody listens already; it also settles which port 0 means.
        auto alone = bound_socket(address, *target, only_v6, false);
        if (!alone.ok()) return std::move(alone).error();
        ::getsockname(alone->get(), target->address(), &target->length);
    }
    BoundAddress bound{text_of(*target), {}};
    for (std::size_t i = 0; i < loops; ++i) {
        auto descriptor = bound_socket(address, *target, only_v6, true);
        if (!descriptor.ok()) return std::move(descriptor).error();
        if (::listen(descriptor->get(), backlog) != 0) return cannot_listen(address, std::strerror(errno));
        bound.sockets.push_back(std::move(*descriptor));
    }
    return bound;
}

}  // namespace tessera::http
