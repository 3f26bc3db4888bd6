// An HTTP server that gives prepared answers, one a request, and keeps what it was asked. For tests of clients only.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/file.hpp"

namespace tessera::blobs {

class ScriptedServer {
  public:
    struct Seen {
        std::string head;  // request line and headers
        std::string body;
    };

    // Each answer is sent as it is; then the connection is closed. An empty one closes it without a word.
    explicit ScriptedServer(std::deque<std::string> answers) : answers_(std::move(answers)) {
        listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
        if (::listen(listener_.get(), 16) != 0) std::abort();
        socklen_t length = sizeof address;
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length);
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::vector<Seen> seen() {
        const std::lock_guard lock(mutex_);
        return seen_;
    }

    static std::string answer(std::string_view status, std::string_view body = "", std::string_view headers = "") {
        return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
               std::string(headers) + "Connection: close\r\n\r\n" + std::string(body);
    }

  private:
    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd entry{listener_.get(), POLLIN, 0};
            if (::poll(&entry, 1, 20) <= 0) continue;
            const UniqueFd connection(::accept(listener_.get(), nullptr, nullptr));
            Seen request = read_request(connection.get());
            if (request.head.empty()) continue;
            std::string reply;
            {
                const std::lock_guard lock(mutex_);
                seen_.push_back(std::move(request));
                if (!answers_.empty()) {
                    reply = std::move(answers_.front());
                    answers_.pop_front();
                }
            }
            (void)::send(connection.get(), reply.data(), reply.size(), MSG_NOSIGNAL);
            ::shutdown(connection.get(), SHUT_WR);
            char rest[4096];
            while (::recv(connection.get(), rest, sizeof rest, 0) > 0) {
            }
        }
    }

    static Seen read_request(int connection) {
        std::string text;
        char buffer[65536];
        while (text.find("\r\n\r\n") == std::string::npos) {
            const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
            if (got <= 0) return {};
            text.append(buffer, static_cast<std::size_t>(got));
        }
        const auto end = text.find("\r\n\r\n") + 4;
        Seen request{text.substr(0, end), text.substr(end)};
        const auto length_at = request.head.find("Content-Length: ");
        const std::size_t length = length_at == std::string::npos ? 0 : std::stoul(request.head.substr(length_at + 16));
        if (request.head.find("Expect: 100-continue") != std::string::npos) {
            constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
            (void)::send(connection, go_on.data(), go_on.size(), MSG_NOSIGNAL);
        }
        while (request.body.size() < length) {
            const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
            if (got <= 0) break;
            request.body.append(buffer, static_cast<std::size_t>(got));
        }
        return request;
    }

    std::mutex mutex_;
    std::deque<std::string> answers_;
    std::vector<Seen> seen_;
    UniqueFd listener_;
    int port_ = 0;
    std::jthread thread_;
};

}  // namespace tessera::blobs
