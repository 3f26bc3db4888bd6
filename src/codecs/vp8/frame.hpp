// A key frame of VP8 as it was decided, and the WebP file of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/vp8/segments.hpp"
#include "codecs/vp8/tokens.hpp"

namespace tessera::codecs::vp8 {

// How a macroblock is predicted.
struct Modes {
    bool by_blocks = false;
    bool empty = false;     // no levels at all
    std::uint8_t mode = 0;  // for all of it
    std::uint8_t of_blocks[16] = {};
    std::uint8_t of_chroma = 0;
};

struct Frame {
    int width = 0;
    int height = 0;
    int across = 0;  // macroblocks in a row
    Segments segments;
    std::vector<Modes> modes;  // of macroblocks, row by row
    Tokens tokens;
};

class FrameWriter {
  public:
    // The bytes are kept until the next call. Nothing where the first partition is larger than its size can be told.
    std::optional<std::span<const std::uint8_t>> write(const Frame& frame);

  private:
    UnsetBytes room_for_modes_;
    UnsetBytes room_for_tokens_;
    std::vector<std::uint8_t> file_;
};

}  // namespace tessera::codecs::vp8
