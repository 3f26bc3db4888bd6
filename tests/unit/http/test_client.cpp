#include "test_client.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "http/message/address.hpp"
#include "http/message/request.hpp"

namespace tessera::http::test {
namespace {

constexpr int patience_ms = static_cast<int>(std::chrono::milliseconds(patience).count());

}  // namespace

std::string Reply::header(std::string_view name) const {
    std::string_view rest = head;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find("\r\n"), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 2, rest.size()));
        const std::size_t colon = line.find(": ");
        if (colon != std::string_view::npos && equal_ignoring_case(line.substr(0, colon), name)) {
            return std::string(line.substr(colon + 2));
        }
    }
    return {};
}

Client::Client(const std::string& address) {
    const auto parsed = ListenAddress::parse(address);
    if (!parsed.ok()) throw std::runtime_error("bad address " + address);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(parsed->host.c_str(), std::to_string(parsed->port).c_str(), &hints, &found) != 0) {
        throw std::runtime_error("can't resolve " + address);
    }
    socket_.reset(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int failed = ::connect(socket_.get(), found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    if (failed != 0) throw std::runtime_error("can't connect to " + address + ": " + std::strerror(errno));
}

bool Client::try_send(std::string_view bytes) {
    while (!bytes.empty()) {
        pollfd ready{socket_.get(), POLLOUT, 0};
        if (::poll(&ready, 1, patience_ms) != 1) return false;
        const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN) continue;
        if (sent < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void Client::send(std::string_view bytes) {
    if (!try_send(bytes)) throw std::runtime_error("the server does not take what we send");
}

bool Client::fill() {
    pollfd ready{socket_.get(), POLLIN, 0};
    if (::poll(&ready, 1, patience_ms) != 1) throw std::runtime_error("the server does not answer");
    char bytes[64 * 1024];
    const ssize_t got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

std::optional<Reply> Client::read(bool head_only) {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
        if (!fill()) return std::nullopt;
    }
    Reply reply;
    reply.head = buffer_.substr(0, end + 2);
    buffer_.erase(0, end + 4);
    const std::string status = reply.head.substr(9, 3);
    std::from_chars(status.data(), status.data() + 3, reply.status);
    std::size_t length = 0;
    const std::string text = reply.header("Content-Length");
    std::from_chars(text.data(), text.data() + text.size(), length);
    if (head_only) length = 0;
    while (buffer_.size() < length) {
        if (!fill()) return std::nullopt;
    }
    reply.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    return reply;
}

std::string Client::read_to_end() {
    while (fill()) {
    }
    return std::move(buffer_);
}

bool Client::is_closed() {
    try {
        read_to_end();
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

bool Client::has_something() const {
    pollfd ready{socket_.get(), POLLIN, 0};
    return ::poll(&ready, 1, 0) == 1;
}

void Client::reset() {
    const linger now{1, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket_.reset();
}

void Client::finish_sending() {
    ::shutdown(socket_.get(), SHUT_WR);
}

std::string get(std::string_view path, std::string_view headers) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n" + std::string(headers) + "\r\n";
}

Reply ask(const std::string& address, std::string_view request, bool head_only) {
    Client client(address);
    client.send(request);
    auto reply = client.read(head_only);
    if (!reply) throw std::runtime_error("the server closed without an answer");
    return *std::move(reply);
}

}  // namespace tessera::http::test
