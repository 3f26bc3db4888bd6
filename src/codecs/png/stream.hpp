// The pixels of a PNG file as they are stored, inflated as they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/png/chunks.hpp"

namespace tessera::codecs {

class PngStream {
  public:
    // `file` stands after the head of the first chunk of pixels.
    PngStream(BufferedFile file, const PngChunk& first);
    ~PngStream();
    PngStream(const PngStream&) = delete;
    PngStream& operator=(const PngStream&) = delete;

    // Fills `out`. Null, or what is wrong with the file.
    const char* read(std::span<std::uint8_t> out);
    // After the last row: the checksums of the chunks that are left. What no row asked for is let be, and what comes
    // after the last pixel may be missing.
    const char* finish();

  private:
    struct Inflater;
    const char* gather();
    const char* next_pixels_chunk();
    const char* inflate();

    BufferedFile file_;
    std::unique_ptr<Inflater> inflater_;
    std::vector<std::uint8_t> packed_;
    ChunkChecksum checksum_;
    std::uint32_t left_in_chunk_;
    bool at_end_ = false;  // no further chunk has pixels
};

}  // namespace tessera::codecs
