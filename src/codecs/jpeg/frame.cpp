#include "codecs/jpeg/frame.hpp"

#include <algorithm>

#include "codecs/jpeg/each_segment.hpp"

namespace tessera::codecs {
namespace {

std::int64_t blocks_along(std::int64_t edge, int factor, int largest_factor) {
    const std::int64_t samples = (edge * factor + largest_factor - 1) / largest_factor;
    return (samples + 7) / 8;
}

JpegFrame frame_of(std::uint8_t marker, const FrameHeader& header) {
    JpegFrame frame;
    frame.progressive = (marker & 3) == 2;
    frame.arithmetic = marker > jpeg_jpg;
    frame.width = header.width;
    frame.height = header.height;
    int horizontal = 1;
    int vertical = 1;
    for (const FrameHeader::Component& component : header.components) {
        horizontal = std::max(horizontal, component.horizontal);
        vertical = std::max(vertical, component.vertical);
    }
    for (const FrameHeader::Component& component : header.components) {
        const std::int64_t across = blocks_along(frame.width, component.horizontal, horizontal);
        const std::int64_t down = blocks_along(frame.height, component.vertical, vertical);
        frame.coefficient_bytes += across * down * 64 * 2;
    }
    return frame;
}

}  // namespace

std::optional<JpegFrame> read_jpeg_frame(int fd) {
    std::optional<JpegFrame> frame;
    for_each_segment(fd, [&](std::uint8_t marker, SegmentBody body) {
        if (!is_frame(marker)) return true;
        if (const auto header = parse_frame_header(body)) frame = frame_of(marker, *header);
        return false;
    });
    return frame;
}

bool has_more_jpeg_segments_than(std::size_t most, int fd) {
    std::size_t count = 0;
    for_each_segment(fd, [&](std::uint8_t, SegmentBody) { return ++count <= most; });
    return count > most;
}

}  // namespace tessera::codecs
