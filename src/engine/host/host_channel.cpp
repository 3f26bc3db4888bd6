#include "engine/host/host_channel.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "engine/wire/descriptor_passing.hpp"

namespace tessera::engine {

Result<std::pair<HostChannel, UniqueFd>> HostChannel::create() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return from_errno("socketpair");
    HostChannel channel;
    channel.socket_.reset(ends[0]);
    UniqueFd other(ends[1]);
    channel.wake_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!channel.wake_) return from_errno("eventfd");
    return std::pair(std::move(channel), std::move(other));
}

Result<void, Broken> HostChannel::wait_for(short events, Deadline deadline) {
    std::array<pollfd, 2> watched{pollfd{socket_.get(), events, 0}, pollfd{wake_.get(), POLLIN, 0}};
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return Broken::timed_out;
        const int timeout = static_cast<int>(std::min<std::int64_t>(left.count(), 60'000));
        const int ready = ::poll(watched.data(), watched.size(), timeout);
        if (ready < 0 && errno != EINTR) return Broken::gone;
        if (ready <= 0) continue;
        if ((watched[1].revents & POLLIN) != 0) return Broken::stopped;
        return {};
    }
}

Result<void, Broken> HostChannel::send(std::string_view body, std::span<const int> files, Deadline deadline) {
    const auto head = frame_head(body.size());
    std::vector<std::uint8_t> bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), body.begin(), body.end());
    std::span<const std::uint8_t> left = bytes;
    while (!left.empty()) {
        const ssize_t sent = send_with_files(socket_.get(), left, files, MSG_DONTWAIT);
        if (sent >= 0) {
            left = left.subspan(static_cast<std::size_t>(sent));
            files = {};
        } else if (errno == EAGAIN) {
            if (auto waited = wait_for(POLLOUT, deadline); !waited) return waited;
        } else if (errno != EINTR) {
            return Broken::gone;
        }
    }
    return {};
}

Result<std::string, Broken> HostChannel::receive(Deadline deadline) {
    std::array<std::uint8_t, 16384> buffer;
    while (true) {
        auto frame = reader_.next();
        if (!frame) return Broken::nonsense;
        if (*frame) return *std::move(*frame);
        const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got > 0) {
            reader_.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
        } else if (got < 0 && errno == EAGAIN) {
            if (auto waited = wait_for(POLLIN, deadline); !waited) return waited.error();
        } else if (got == 0 || errno != EINTR) {
            return Broken::gone;
        }
    }
}

void HostChannel::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof(one));
}

void HostChannel::forget_wakes() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(wake_.get(), &count, sizeof(count));
}

}  // namespace tessera::engine
