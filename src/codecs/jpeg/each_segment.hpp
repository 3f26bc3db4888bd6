// The segments of a JPEG file before its first pixels.
#pragma once

#include <unistd.h>

#include <utility>
#include <vector>

#include "codecs/jpeg/input.hpp"
#include "codecs/jpeg/markers.hpp"
#include "codecs/jpeg/segments.hpp"

namespace tessera::codecs {

// Calls `visit(marker, body)` for each, until it is false. The file's position is left alone.
template <typename Visit>
void for_each_segment(int fd, Visit&& visit) {
    UniqueFd own(::dup(fd));
    if (!own) return;
    JpegInput input(std::move(own));
    if (input.next_marker() != jpeg_soi) return;
    std::vector<std::uint8_t> body;
    while (const auto marker = input.next_marker()) {
        if (*marker == jpeg_tem || is_restart(*marker)) continue;
        if (stands_alone(*marker) || *marker == jpeg_sos || !input.read_segment(body)) return;
        if (!visit(*marker, SegmentBody(body))) return;
    }
}

}  // namespace tessera::codecs
