#include "http/server/connection_socket.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <utility>

namespace tessera::http {

ConnectionSocket::ConnectionSocket(Loop& loop, UniqueFd socket, Owner& owner)
    : loop_(loop), owner_(owner), socket_(std::move(socket)) {
    const int on = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

ConnectionSocket::~ConnectionSocket() {
    loop_.poller().forget(socket_.get());
}

void ConnectionSocket::start() {
    loop_.poller().watch(socket_.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, *this);
}

void ConnectionSocket::on_ready(std::uint32_t events) {
    constexpr std::uint32_t end_of_input = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
    if ((events & (EPOLLIN | end_of_input)) != 0) readable_ = true;
    if ((events & end_of_input) != 0) input_ended_ = true;
    if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) writable_ = true;
    if (waits_for_) {
        if (*waits_for_ == Direction::in ? readable_ : writable_) go_on(Woken::ready);
    } else if ((events & end_of_input) != 0) {
        owner_.on_input_ended();
    }
}

void ConnectionSocket::on_deadline() {
    const ServerConfig& config = loop_.common().config;
    if (deadline_ == Deadline::body && received_ >= config.body_min_bytes) return set_deadline(Deadline::body);
    if (deadline_ != Deadline::idle) loop_.stats().timeouts.add();
    if (waits_for_) go_on(Woken::too_late);
}

void ConnectionSocket::cancel() {
    if (waits_for_) go_on(Woken::cancelled);
}

void ConnectionSocket::abort() {
    aborted_ = true;
    ::shutdown(socket_.get(), SHUT_RDWR);
    cancel();
}

// What is ready already gets its turn after the others: one client that sends or reads fast is not served alone.
void ConnectionSocket::wait(Direction direction, std::coroutine_handle<> coroutine) {
    waits_for_ = direction;
    coroutine_ = coroutine;
    if (direction == Direction::in ? readable_ : writable_) loop_.poller().give_turn(*this);
}

void ConnectionSocket::go_on(Woken woken) {
    woken_ = woken;
    waits_for_.reset();
    TurnHook::unlink();
    if (const auto coroutine = std::exchange(coroutine_, nullptr)) return coroutine.resume();
    owner_.on_woken(woken);
}

void ConnectionSocket::set_deadline(Deadline kind) {
    deadline_ = kind;
    received_ = 0;
    switch (kind) {
        case Deadline::none: stop_waiting(); return;
        case Deadline::idle: loop_.idle.add(*this); return;
        case Deadline::head: loop_.head.add(*this); return;
        case Deadline::body: loop_.body.add(*this); return;
        case Deadline::write: loop_.write.add(*this); return;
        case Deadline::linger: loop_.linger.add(*this); return;
    }
}

std::optional<std::size_t> ConnectionSocket::receive(std::span<char> space) {
    for (;;) {
        const ssize_t bytes = ::recv(socket_.get(), space.data(), space.size(), MSG_DONTWAIT);
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 0 && errno == EAGAIN) {
            readable_ = false;
            return std::nullopt;
        }
        if (bytes <= 0) return 0;
        const auto count = static_cast<std::size_t>(bytes);
        // All that was there was read, and what comes next is told: no need to ask for it and be told that it is not.
        if (count < space.size() && !input_ended_) readable_ = false;
        received_ += count;
        return count;
    }
}

std::optional<std::size_t> ConnectionSocket::taken(ssize_t bytes) {
    if (bytes >= 0) return static_cast<std::size_t>(bytes);
    writable_ = errno != EAGAIN;
    return std::nullopt;
}

std::optional<std::size_t> ConnectionSocket::send(std::string_view head, std::string_view body) {
    iovec parts[2] = {{const_cast<char*>(head.data()), head.size()}, {const_cast<char*>(body.data()), body.size()}};
    msghdr message{};
    message.msg_iov = head.empty() ? parts + 1 : parts;
    message.msg_iovlen = head.empty() || body.empty() ? 1 : 2;
    ssize_t bytes = -1;
    do {
        bytes = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (bytes < 0 && errno == EINTR);
    return taken(bytes);
}

std::optional<std::size_t> ConnectionSocket::send_before_file(std::string_view head) {
    ssize_t bytes = -1;
    do {
        bytes = ::send(socket_.get(), head.data(), head.size(), MSG_MORE | MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (bytes < 0 && errno == EINTR);
    return taken(bytes);
}

std::optional<std::size_t> ConnectionSocket::send_file(int file, std::uint64_t offset, std::uint64_t length) {
    auto from = static_cast<off_t>(offset);
    ssize_t bytes = -1;
    do {
        bytes = ::sendfile(socket_.get(), file, &from, length);
    } while (bytes < 0 && errno == EINTR);
    return taken(bytes);
}

void ConnectionSocket::end_output() {
    ::shutdown(socket_.get(), SHUT_WR);
}

}  // namespace tessera::http
