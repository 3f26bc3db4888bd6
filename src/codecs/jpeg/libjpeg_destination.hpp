// Where libjpeg writes: a vector that grows and may be used again, so that many small files take no memory anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/jpeg/libjpeg_guard.hpp"

namespace tessera::codecs {

struct JpegDestination {
    jpeg_destination_mgr base;  // first, so that libjpeg's pointer to it is a pointer to us
    std::vector<std::uint8_t> bytes;

    // `info` has a JpegGuard, and must not outlive this.
    void install(jpeg_compress_struct& info);
    // All of the file, once it is finished.
    [[nodiscard]] std::span<const std::uint8_t> file() const {
        return std::span(bytes).first(bytes.size() - base.free_in_buffer);
    }
};

}  // namespace tessera::codecs
