// The frame header of a JPEG file, read without a decoder: enough to say what decoding will cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tessera::codecs {

struct JpegFrame {
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool progressive = false;
    bool arithmetic = false;             // coded so, and not with Huffman codes
    std::int64_t coefficient_bytes = 0;  // of the whole picture, which a progressive decoder must hold
};

// Nothing where no frame header is found in the file; its position is left alone.
std::optional<JpegFrame> read_jpeg_frame(int fd);

// Segments before the first pixels, of any kind. The file's position is left alone.
bool has_more_jpeg_segments_than(std::size_t most, int fd);

}  // namespace tessera::codecs
