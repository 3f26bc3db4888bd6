#include "imaging/jpeg/header.hpp"

#include <unistd.h>

#include <array>
#include <span>

namespace tessera::imaging {
namespace {

bool read_at(int fd, std::int64_t offset, std::span<std::uint8_t> out) {
    return ::pread(fd, out.data(), out.size(), offset) == static_cast<ssize_t>(out.size());
}

bool is_frame(std::uint8_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

std::int64_t blocks_across(std::int64_t edge, int factor, int largest_factor) {
    const std::int64_t samples = (edge * factor + largest_factor - 1) / largest_factor;
    return (samples + 7) / 8;
}

JpegFrame parse_frame(std::uint8_t marker, std::span<const std::uint8_t> body) {
    JpegFrame frame;
    frame.progressive = (marker & 3) == 2;
    frame.height = body[1] * 256 + body[2];
    frame.width = body[3] * 256 + body[4];
    const std::size_t components = body[5];
    int largest_h = 1;
    int largest_v = 1;
    for (std::size_t i = 0; i < components && 6 + i * 3 + 2 < body.size(); ++i) {
        largest_h = std::max(largest_h, body[7 + i * 3] >> 4);
        largest_v = std::max(largest_v, body[7 + i * 3] & 15);
    }
    for (std::size_t i = 0; i < components && 6 + i * 3 + 2 < body.size(); ++i) {
        const std::int64_t across = blocks_across(frame.width, body[7 + i * 3] >> 4, largest_h);
        const std::int64_t down = blocks_across(frame.height, body[7 + i * 3] & 15, largest_v);
        frame.coefficient_bytes += across * down * 64 * 2;
    }
    return frame;
}

}  // namespace

std::optional<JpegFrame> read_jpeg_frame(int fd) {
    std::int64_t offset = 2;  // after SOI
    std::array<std::uint8_t, 4> head{};
    while (read_at(fd, offset, head)) {
        if (head[0] != 0xFF) return std::nullopt;
        if (head[1] == 0xFF) {  // fill byte
            ++offset;
            continue;
        }
        const int length = head[2] * 256 + head[3];
        if (length < 2) return std::nullopt;
        if (is_frame(head[1])) {
            std::array<std::uint8_t, 6 + 4 * 3> body{};
            const auto size = std::min<std::size_t>(body.size(), static_cast<std::size_t>(length) - 2);
            if (size < 9 || !read_at(fd, offset + 4, std::span(body).first(size))) return std::nullopt;
            return parse_frame(head[1], std::span<const std::uint8_t>(body).first(size));
        }
        if (head[1] == 0xDA || head[1] == 0xD9) return std::nullopt;
        offset += 2 + length;
    }
    return std::nullopt;
}

}  // namespace tessera::imaging
