// Asks one server for paths in turn over kept connections and prints one JSON line. It exists because wrk needs as much
// of its core for a tile as a good server does, and then measures itself: this one reads heads, has the kernel drop the
// bodies unread, and never sleeps, so that no server pays for waking it. Started by bench/serving/run:
//   bench_serving_load PORT CONNECTIONS SECONDS PATHS_FILE [HEADER]
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"

namespace tessera::bench {
namespace {

using Steady = std::chrono::steady_clock;

struct Settings {
    int port = 0;
    std::size_t connections = 1;
    double seconds = 1;
    std::vector<std::string> requests;
};

struct Connection {
    UniqueFd socket;
    Steady::time_point asked_at;
    std::array<char, 2048> head;
    std::size_t head_size = 0;
    std::size_t body_left = 0;
    bool in_body = false;
};

[[noreturn]] void give_up(const std::string& why) {
    throw std::runtime_error(why);
}

UniqueFd connect_to(int port) {
    UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) give_up("no server");
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket;
}

std::size_t content_length(std::string_view head) {
    constexpr std::string_view name = "\r\nContent-Length: ";
    const std::size_t at = head.find(name);
    std::size_t length = 0;
    if (at == std::string_view::npos) give_up("an answer without a length: " + std::string(head));
    std::from_chars(head.data() + at + name.size(), head.data() + head.size(), length);
    return length;
}

class Load {
  public:
    explicit Load(Settings settings)
        : settings_(std::move(settings)), epoll_(::epoll_create1(EPOLL_CLOEXEC)), connections_(settings_.connections) {
        latencies_us_.reserve(1U << 22);
        for (Connection& connection : connections_) {
            connection.socket = connect_to(settings_.port);
            epoll_event wanted{};
            wanted.events = EPOLLIN | EPOLLET;
            wanted.data.ptr = &connection;
            ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, connection.socket.get(), &wanted);
        }
    }

    void run() {
        const auto began = Steady::now();
        const auto end =
            began + std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(settings_.seconds));
        now_ = began;
        for (Connection& connection : connections_) ask(connection);
        std::array<epoll_event, 64> events;
        while (now_ < end) {
            const auto before = now_;
            const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
            now_ = Steady::now();
            if (count == 0) idle_ += now_ - before;
            for (int i = 0; i < count; ++i) {
                read_on(*static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr));
                now_ = Steady::now();
            }
        }
        report(std::chrono::duration<double>(now_ - began).count());
    }

  private:
    void ask(Connection& connection) {
        const std::string& request = settings_.requests[turn_++ % settings_.requests.size()];
        connection.head_size = 0;
        connection.in_body = false;
        connection.asked_at = now_;
        const auto size = static_cast<ssize_t>(request.size());
        if (::send(connection.socket.get(), request.data(), request.size(), MSG_NOSIGNAL) != size)
            give_up("can't send");
    }

    void read_on(Connection& connection) {
        if (!connection.in_body && !read_head(connection)) return;
        while (connection.body_left > 0) {
            const ssize_t got =
                ::recv(connection.socket.get(), nullptr, connection.body_left, MSG_TRUNC | MSG_DONTWAIT);
            if (got < 0 && errno == EAGAIN) return;
            if (got <= 0) give_up("the server hung up");
            connection.body_left -= static_cast<std::size_t>(got);
        }
        now_ = Steady::now();
        latencies_us_.push_back(std::chrono::duration<float, std::micro>(now_ - connection.asked_at).count());
        ask(connection);
    }

    bool read_head(Connection& connection) {
        auto& head = connection.head;
        const ssize_t got = ::recv(connection.socket.get(), head.data() + connection.head_size,
                                   head.size() - connection.head_size, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN) return false;
        if (got <= 0) give_up("the server hung up");
        connection.head_size += static_cast<std::size_t>(got);
        const std::string_view text(head.data(), connection.head_size);
        const std::size_t end = text.find("\r\n\r\n");
        if (end == std::string_view::npos) {
            if (connection.head_size == head.size()) give_up("a head that is too large");
            return false;
        }
        if (!text.starts_with("HTTP/1.1 200 ")) give_up("refused: " + std::string(text.substr(0, end)));
        const std::size_t length = content_length(text.substr(0, end + 2));
        const std::size_t of_body = text.size() - (end + 4);
        if (of_body > length) give_up("more bytes than announced");
        connection.body_left = length - of_body;
        bytes_ += length;
        connection.in_body = true;
        return true;
    }

    void report(double seconds) {
        const auto count = latencies_us_.size();
        if (count == 0) give_up("no answer");
        const auto at = [&](double part) {
            const auto place =
                latencies_us_.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(count - 1));
            std::nth_element(latencies_us_.begin(), place, latencies_us_.end());
            return static_cast<double>(*place) / 1000;
        };
        const double idle = std::chrono::duration<double>(idle_).count() / seconds;
        std::printf(R"({"requests":%zu,"seconds":%.4f,"bytes":%llu,"p50_ms":%.4f,"p99_ms":%.4f,"idle":%.4f})"
                    "\n",
                    count, seconds, static_cast<unsigned long long>(bytes_), at(0.5), at(0.99), idle);
    }

    const Settings settings_;
    UniqueFd epoll_;
    std::vector<Connection> connections_;
    std::vector<float> latencies_us_;
    std::uint64_t bytes_ = 0;
    Steady::duration idle_{};  // nothing to do: the server is what is waited for
    std::size_t turn_ = 0;
    Steady::time_point now_;
};

Settings read_settings(int count, char** words) {
    if (count < 5) give_up("PORT CONNECTIONS SECONDS PATHS_FILE [HEADER]");
    Settings settings;
    settings.port = std::stoi(words[1]);
    settings.connections = std::stoul(words[2]);
    settings.seconds = std::stod(words[3]);
    const std::string header = count > 5 ? std::string(words[5]) + "\r\n" : "";
    std::ifstream file(words[4]);
    for (std::string path; std::getline(file, path);) {
        settings.requests.push_back("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + words[1] + "\r\n" + header +
                                    "\r\n");
    }
    if (settings.requests.empty()) give_up("no paths");
    return settings;
}

}  // namespace
}  // namespace tessera::bench

int main(int count, char** words) {
    try {
        tessera::bench::Load(tessera::bench::read_settings(count, words)).run();
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
        return 1;
    }
}
