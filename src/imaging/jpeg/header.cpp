#include "imaging/jpeg/header.hpp"

#include <algorithm>

#include "imaging/file_bytes.hpp"
#include "imaging/mapped_file.hpp"

namespace tessera::imaging {
namespace {

bool is_frame(std::uint8_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

std::int64_t blocks_across(std::int64_t edge, int factor, int largest_factor) {
    const std::int64_t samples = (edge * factor + largest_factor - 1) / largest_factor;
    return (samples + 7) / 8;
}

JpegFrame parse_frame(std::uint8_t marker, FileBytes body) {
    JpegFrame frame;
    frame.progressive = (marker & 3) == 2;
    frame.arithmetic = marker > 0xC8;
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

// Markers that stand alone, without a length: restarts, and one that means nothing. A zero is none.
bool stands_alone(std::uint8_t marker) {
    return marker <= 0x01 || (marker >= 0xD0 && marker <= 0xD7);
}

// Where the next marker's name is, past bytes that should not be there and past filling: as libjpeg looks for it.
std::size_t next_marker(FileBytes file, std::size_t at) {
    while (at < file.size() && file[at] != 0xFF) ++at;
    while (at < file.size() && file[at] == 0xFF) ++at;
    return at;
}

// Calls `visit(marker, body)` for each segment up to the first pixels, until it is false.
template <typename Visit>
void for_each_segment(FileBytes file, Visit&& visit) {
    std::size_t at = 2;  // after SOI
    while ((at = next_marker(file, at)) + 3 <= file.size()) {
        const std::uint8_t marker = file[at++];
        if (stands_alone(marker)) continue;
        if (marker == 0xDA || marker == 0xD9) return;
        const std::size_t length = read_big16(file, at);
        if (length < 2) return;
        const std::size_t end = std::min(at + length, file.size());
        if (!visit(marker, file.subspan(at + 2, end - at - 2))) return;
        at = end;
    }
}

std::optional<JpegFrame> find_frame(FileBytes file) {
    std::optional<JpegFrame> frame;
    for_each_segment(file, [&](std::uint8_t marker, FileBytes body) {
        if (!is_frame(marker)) return true;
        constexpr std::size_t most_components = 4;
        const std::size_t size = std::min(body.size(), 6 + most_components * 3);
        if (size >= 9) frame = parse_frame(marker, body.first(size));
        return false;
    });
    return frame;
}

}  // namespace

std::optional<JpegFrame> read_jpeg_frame(int fd) {
    const auto mapped = MappedFile::open(fd);
    return mapped ? find_frame(mapped->bytes()) : std::nullopt;
}

bool has_more_jpeg_segments_than(std::size_t most, FileBytes file) {
    std::size_t count = 0;
    for_each_segment(file, [&](std::uint8_t, FileBytes) { return ++count <= most; });
    return count > most;
}

}  // namespace tessera::imaging
