#include "stalling_proxy.hpp"

#include <cstring>
#include <stdexcept>

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tessera::metadata {
namespace {

constexpr int look_around_ms = 5;

sockaddr_un address_in(const std::string& folder) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder + "/.s.PGSQL.5432";
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return address;
}

bool copy_some(int from, int to) {
    char buffer[16'384];
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got <= 0) return false;
    for (ssize_t sent = 0; sent < got;) {
        const ssize_t now = send(to, buffer + sent, static_cast<std::size_t>(got - sent), MSG_NOSIGNAL);
        if (now <= 0) return false;
        sent += now;
    }
    return true;
}

}  // namespace

StallingProxy::StallingProxy(std::string server_folder) : server_folder_(std::move(server_folder)) {
    listening_.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = address_in(folder());
    if (bind(listening_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listening_.get(), 64) != 0) {
        throw std::runtime_error("the proxy can't listen");
    }
    acceptor_ = std::thread([this] { accept_until_stopped(); });
}

StallingProxy::~StallingProxy() {
    stopping_ = true;
    acceptor_.join();
    for (std::thread& relay : relays_) relay.join();
}

void StallingProxy::go_away() {
    away_ = true;
}

void StallingProxy::come_back() {
    away_ = false;
}

void StallingProxy::accept_until_stopped() {
    while (!stopping_) {
        pollfd watched{listening_.get(), POLLIN, 0};
        if (poll(&watched, 1, look_around_ms) <= 0) continue;
        UniqueFd client(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!client || away_) continue;  // closed at once
        relays_.emplace_back([this, held = std::move(client)]() mutable { relay(std::move(held)); });
    }
}

void StallingProxy::relay(UniqueFd client) {
    const UniqueFd server(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = address_in(server_folder_);
    if (connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
    while (!stopping_ && !away_) {
        pollfd watched[] = {{client.get(), POLLIN, 0}, {server.get(), POLLIN, 0}};
        if (stalled_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(look_around_ms));
            continue;
        }
        if (poll(watched, 2, look_around_ms) <= 0) continue;
        if (watched[0].revents != 0 && !copy_some(client.get(), server.get())) return;
        if (watched[1].revents != 0 && !copy_some(server.get(), client.get())) return;
    }
}

}  // namespace tessera::metadata
