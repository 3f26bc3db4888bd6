// The clamd client against servers that behave, misbehave or do not answer at all.
#include "service/uploads/scanner.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <semaphore>
#include <thread>

#include "core/file.hpp"

namespace tessera::service {

namespace {

constexpr std::chrono::milliseconds patience{30'000};
constexpr std::chrono::milliseconds impatience{300};

bool receive(int socket, void* out, std::size_t size) {
    return ::recv(socket, out, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

// Reads a whole INSTREAM conversation; empty when it is malformed.
std::string read_stream(int socket) {
    char command[10];
    if (!receive(socket, command, sizeof command) ||
        std::string_view(command, 10) != std::string_view("zINSTREAM\0", 10))
        return "";
    std::string content;
    for (;;) {
        unsigned char length[4];
        if (!receive(socket, length, sizeof length)) return "";
        const std::size_t size =
            std::size_t{length[0]} << 24 | std::size_t{length[1]} << 16 | std::size_t{length[2]} << 8 | length[3];
        if (size == 0) return content;
        std::string piece(size, '\0');
        if (!receive(socket, piece.data(), size)) return "";
        content += piece;
    }
}

void answer(int socket, std::string_view text) {
    std::string line(text);
    line += '\0';
    (void)::send(socket, line.data(), line.size(), MSG_NOSIGNAL);
}

// Listens on a free port and gives each connection to `serve`.
class FakeClamd {
  public:
    explicit FakeClamd(std::function<void(int)> serve) : serve_(std::move(serve)) {
        listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(listener_.get(), 8), 0);
        socklen_t length = sizeof address;
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length);
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    [[nodiscard]] ScanningConfig config(std::chrono::milliseconds timeout = patience) const {
        return {true, "127.0.0.1:" + std::to_string(port_), timeout};
    }

  private:
    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd entry{listener_.get(), POLLIN, 0};
            if (::poll(&entry, 1, 20) <= 0) continue;
            const UniqueFd connection(::accept(listener_.get(), nullptr, nullptr));
            serve_(connection.get());
        }
    }

    std::function<void(int)> serve_;
    UniqueFd listener_;
    int port_ = 0;
    std::jthread thread_;
};

UniqueFd file_with(std::string_view content) {
    std::FILE* file = std::tmpfile();
    UniqueFd fd(::dup(::fileno(file)));
    std::fclose(file);
    EXPECT_TRUE(write_all(fd.get(), {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}));
    return fd;
}

Result<void> scan(const ScanningConfig& config, std::string_view content) {
    const auto file = file_with(content);
    auto scanner = make_clamd_scanner(config);
    if (!scanner) return scanner.error();
    return (*scanner)->scan(file.get(), content.size());
}

ErrorCode scan_error(const std::function<void(int)>& serve, std::string_view content = "hello") {
    const FakeClamd clamd(serve);
    const auto scanned = scan(clamd.config(), content);
    EXPECT_FALSE(scanned);
    return scanned ? ErrorCode::conflict : scanned.error().code;
}

}  // namespace

TEST(ClamdScanner, SendsTheWholeFileAndBelievesACleanAnswer) {
    std::string content(1'000'000, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 31 + i / 977);
    std::string seen;
    const FakeClamd clamd([&](int socket) {
        seen = read_stream(socket);
        answer(socket, "stream: OK");
    });
    const auto scanned = scan(clamd.config(), content);
    EXPECT_TRUE(scanned) << scanned.error().detail;
    EXPECT_TRUE(seen == content);
}

TEST(ClamdScanner, AFlaggedFileIsRejected) {
    EXPECT_EQ(scan_error([](int socket) {
                  read_stream(socket);
                  answer(socket, "stream: Test.Signature-1 FOUND");
              }),
              ErrorCode::upload_rejected);
}

TEST(ClamdScanner, WhateverIsNotClearlyCleanIsUnavailable) {
    for (const std::string_view text :
         {"", "OK", "stream: OK FOUN", "stream: ok", "INSTREAM size limit exceeded. ERROR", "UNKNOWN COMMAND",
          "stream: lstat() failed ERROR", "FOUND"}) {
        EXPECT_EQ(scan_error([text](int socket) {
                      read_stream(socket);
                      answer(socket, text);
                  }),
                  ErrorCode::scanning_unavailable)
            << text;
    }
}

TEST(ClamdScanner, AScannerThatHangsUpOrRamblesIsUnavailable) {
    EXPECT_EQ(scan_error([](int) {}), ErrorCode::scanning_unavailable);
    EXPECT_EQ(scan_error([](int socket) { read_stream(socket); }), ErrorCode::scanning_unavailable);
    EXPECT_EQ(scan_error([](int socket) {
                  read_stream(socket);
                  const std::string endless(100'000, 'x');
                  (void)::send(socket, endless.data(), endless.size(), MSG_NOSIGNAL);
              }),
              ErrorCode::scanning_unavailable);
}

TEST(ClamdScanner, AScannerThatTakesTooLongIsUnavailable) {
    for (const std::size_t size : {10UL, 8'000'000UL}) {
        std::binary_semaphore given_up(0);
        const FakeClamd clamd([&](int) { given_up.acquire(); });
        const auto scanned = scan(clamd.config(impatience), std::string(size, 'x'));
        given_up.release();
        ASSERT_FALSE(scanned);
        EXPECT_EQ(scanned.error().code, ErrorCode::scanning_unavailable);
    }
}

TEST(ClamdScanner, AVerdictThatComesBeforeTheEndOfTheFileIsHeard) {
    EXPECT_EQ(scan_error(
                  [](int socket) {
                      answer(socket, "INSTREAM size limit exceeded. ERROR");
                      ::shutdown(socket, SHUT_WR);
                      read_stream(socket);
                  },
                  std::string(3'000'000, 'x')),
              ErrorCode::scanning_unavailable);
}

TEST(ClamdScanner, AnAbsentScannerIsUnavailable) {
    for (const auto* address : {"unix:/nowhere/clamd.ctl", "/nowhere/clamd.ctl", "127.0.0.1:1", "[::1]:1"}) {
        const auto scanned = scan({true, address, std::chrono::milliseconds(500)}, "x");
        ASSERT_FALSE(scanned);
        EXPECT_EQ(scanned.error().code, ErrorCode::scanning_unavailable);
        EXPECT_EQ(scanned.error().message, "upload scanning unavailable");
    }
    EXPECT_FALSE(make_clamd_scanner({true, "nonsense", std::chrono::milliseconds(500)}));
}

TEST(ClamdScanner, ACheckIsAPing) {
    const FakeClamd clamd([](int socket) {
        char command[6];
        receive(socket, command, sizeof command);
        answer(socket, std::string_view(command, 5) == "zPING" ? "PONG" : "?");
    });
    const auto scanner = make_clamd_scanner(clamd.config());
    ASSERT_TRUE(scanner);
    EXPECT_TRUE((*scanner)->check());
}

}  // namespace tessera::service
