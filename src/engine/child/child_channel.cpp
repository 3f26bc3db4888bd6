#include "engine/child/child_channel.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <span>

#include "engine/wire/descriptor_passing.hpp"
#include "engine/wire/frame.hpp"

namespace tessera::engine {

bool ChildChannel::send(std::string_view body) const {
    const auto head = frame_head(body.size());
    std::vector<std::uint8_t> bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), body.begin(), body.end());
    std::span<const std::uint8_t> left = bytes;
    while (!left.empty()) {
        const ssize_t sent = send_with_files(socket_, left, {}, 0);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        left = left.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

bool ChildChannel::fill(std::span<std::uint8_t> bytes, std::vector<UniqueFd>& files) const {
    while (!bytes.empty()) {
        const ssize_t got = receive_with_files(socket_, bytes, files);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

std::optional<ReceivedFrame> ChildChannel::receive() const {
    ReceivedFrame frame;
    std::array<std::uint8_t, frame_head_bytes> head{};
    if (!fill(head, frame.files)) return std::nullopt;
    const std::size_t length = frame_body_bytes(head);
    if (length > max_frame_bytes) return std::nullopt;
    frame.body.resize(length);
    if (!fill(std::span(reinterpret_cast<std::uint8_t*>(frame.body.data()), length), frame.files)) return std::nullopt;
    return frame;
}

bool ChildChannel::hears_within(std::chrono::milliseconds patience) const {
    pollfd line{socket_, POLLIN, 0};
    return ::poll(&line, 1, static_cast<int>(patience.count())) != 0;
}

}  // namespace tessera::engine
