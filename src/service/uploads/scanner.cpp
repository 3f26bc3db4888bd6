#include "service/uploads/scanner.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "core/log.hpp"

namespace tessera::service {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

Error unavailable(std::string detail) {
    return {ErrorCode::scanning_unavailable, "upload scanning unavailable", std::move(detail)};
}

Error unavailable_from_errno(std::string_view what) {
    return unavailable("clamd: " + from_errno(what).detail);
}

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
};

Result<SocketAddress> unix_address(std::string_view path) {
    SocketAddress address;
    auto* name = reinterpret_cast<sockaddr_un*>(&address.storage);
    if (path.empty() || path.size() >= sizeof name->sun_path)
        return unavailable("scanning.address: path too long or empty");
    name->sun_family = AF_UNIX;
    std::memcpy(name->sun_path, path.data(), path.size());
    address.length = static_cast<socklen_t>(sizeof(sockaddr_un));
    return address;
}

Result<std::vector<SocketAddress>> resolve(std::string_view address) {
    constexpr std::string_view unix_prefix = "unix:";
    if (address.starts_with(unix_prefix) || address.starts_with('/')) {
        auto path = unix_address(address.starts_with('/') ? address : address.substr(unix_prefix.size()));
        if (!path) return path.error();
        return std::vector<SocketAddress>{*path};
    }
    const auto colon = address.rfind(':');
    if (colon == std::string_view::npos) return unavailable("scanning.address is neither unix:PATH nor HOST:PORT");
    std::string host(address.substr(0, colon));
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int failed = ::getaddrinfo(host.c_str(), std::string(address.substr(colon + 1)).c_str(), &hints, &found);
    if (failed != 0) return unavailable("scanning.address: " + std::string(::gai_strerror(failed)));
    std::vector<SocketAddress> addresses;
    for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
        SocketAddress one;
        std::memcpy(&one.storage, info->ai_addr, info->ai_addrlen);
        one.length = info->ai_addrlen;
        addresses.push_back(one);
    }
    ::freeaddrinfo(found);
    return addresses;
}

// One conversation with clamd; every step ends by the deadline.
class Conversation {
  public:
    explicit Conversation(SteadyTime deadline) : deadline_(deadline) {}

    Result<void> connect(const std::vector<SocketAddress>& addresses) {
        Result<void> connected = unavailable("clamd: no address");
        for (const auto& address : addresses) {
            connected = connect(address);
            if (connected) return {};
        }
        return connected;
    }

    Result<void> send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent >= 0) {
                bytes.remove_prefix(static_cast<std::size_t>(sent));
            } else if (errno == EAGAIN) {
                auto ready = wait_for(POLLOUT);
                if (!ready) return ready;
            } else if (errno != EINTR) {
                return unavailable_from_errno("send");
            }
        }
        return {};
    }

    // Up to the zero byte that ends an answer.
    Result<std::string> receive() {
        constexpr std::size_t longest_answer = 4096;
        std::string answer;
        std::array<char, 512> buffer{};
        while (answer.size() < longest_answer) {
            const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
            if (got > 0) {
                answer.append(buffer.data(), static_cast<std::size_t>(got));
                if (const auto end = answer.find('\0'); end != std::string::npos) return answer.substr(0, end);
            } else if (got == 0) {
                return unavailable("clamd: hung up without an answer");
            } else if (errno == EAGAIN) {
                const auto ready = wait_for(POLLIN);
                if (!ready) return ready.error();
            } else if (errno != EINTR) {
                return unavailable_from_errno("receive");
            }
        }
        return unavailable("clamd: an answer without end");
    }

  private:
    Result<void> connect(const SocketAddress& address) {
        socket_.reset(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!socket_) return unavailable_from_errno("socket");
        if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length) == 0)
            return {};
        if (errno != EINPROGRESS) return unavailable_from_errno("connect");
        auto ready = wait_for(POLLOUT);
        if (!ready) return ready;
        socklen_t length = sizeof errno;
        int failure = 0;
        ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &failure, &length);
        errno = failure;
        if (failure != 0) return unavailable_from_errno("connect");
        return {};
    }

    Result<void> wait_for(short events) {
        for (;;) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now()).count();
            if (left <= 0) return unavailable("clamd: too slow");
            pollfd entry{socket_.get(), events, 0};
            const int ready = ::poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
            if (ready > 0) return {};
            if (ready < 0 && errno != EINTR) return unavailable_from_errno("poll");
        }
    }

    SteadyTime deadline_;
    UniqueFd socket_;
};

// Each piece has its length before it; an empty one is the end.
Result<void> send_file(Conversation& clamd, int file, std::uint64_t size) {
    constexpr std::size_t length_bytes = 4;
    constexpr std::size_t piece = std::size_t{128} * 1024;
    std::vector<char> buffer(length_bytes + piece);
    for (std::uint64_t offset = 0; offset <= size;) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece, size - offset));
        for (std::size_t i = 0; i < length_bytes; ++i)
            buffer[i] = static_cast<char>(static_cast<unsigned char>(count >> (8 * (length_bytes - 1 - i))));
        auto read = read_exactly_at(file, offset, {reinterpret_cast<std::uint8_t*>(&buffer[length_bytes]), count});
        if (!read) return read;
        auto sent = clamd.send({buffer.data(), length_bytes + count});
        if (!sent) return sent;
        if (count == 0) break;
        offset += count;
    }
    return {};
}

Result<void> judge(const std::string& answer) {
    constexpr std::string_view found = " FOUND";
    if (answer == "stream: OK") return {};
    if (answer.starts_with("stream: ") && answer.ends_with(found)) {
        log::warning("upload.flagged", {{"signature", answer.substr(8, answer.size() - 8 - found.size())}});
        return Error{ErrorCode::upload_rejected, "upload rejected by security policy", "clamd: " + answer};
    }
    return unavailable("clamd said: " + answer);
}

class ClamdScanner final : public Scanner {
  public:
    explicit ClamdScanner(const ScanningConfig& config) : config_(config) {}

    Result<void> scan(int file, std::uint64_t size) override {
        Conversation clamd(std::chrono::steady_clock::now() + config_.timeout);
        auto step = begin(clamd, std::string_view("zINSTREAM\0", 10));
        if (!step) return step;
        step = send_file(clamd, file, size);
        // clamd may give its verdict and hang up before it has read everything, such as over a size limit of its own.
        const auto answer = clamd.receive();
        if (!answer) return step ? answer.error() : step.error();
        return judge(*answer);
    }

    Result<void> check() override {
        Conversation clamd(std::chrono::steady_clock::now() +
                           std::min(config_.timeout, std::chrono::milliseconds(2'000)));
        auto step = begin(clamd, std::string_view("zPING\0", 6));
        if (!step) return step;
        const auto answer = clamd.receive();
        if (!answer) return answer.error();
        if (*answer != "PONG") return unavailable("clamd said: " + *answer);
        return {};
    }

  private:
    Result<void> begin(Conversation& clamd, std::string_view command) const {
        const auto addresses = resolve(config_.address);
        if (!addresses) return addresses.error();
        auto step = clamd.connect(*addresses);
        if (step) step = clamd.send(command);
        return step;
    }

    const ScanningConfig config_;
};

}  // namespace

Result<std::unique_ptr<Scanner>> make_clamd_scanner(const ScanningConfig& config) {
    const bool is_path = config.address.starts_with("unix:") || config.address.starts_with('/');
    if (!is_path && config.address.rfind(':') == std::string::npos)
        return Error{ErrorCode::invalid_request, "scanning.address must be unix:PATH or HOST:PORT", ""};
    return std::unique_ptr<Scanner>(std::make_unique<ClamdScanner>(config));
}

}  // namespace tessera::service
