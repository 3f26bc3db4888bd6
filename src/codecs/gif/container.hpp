// The blocks of a GIF file, as far as its first frame needs them. The others are counted.
#pragma once

#include <optional>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

struct GifContainer {
    int width = 0;  // of the canvas; a first frame that reaches beyond it makes it larger
    int height = 0;
    int frames = 1;
    // The first frame.
    int left = 0;
    int top = 0;
    int frame_width = 0;
    int frame_height = 0;
    bool interlaced = false;
    std::optional<int> transparent;  // a colour that stands for none
    FileBytes colours;               // red, green and blue of each
    int code_size = 0;               // of LZW, at its start
    FileBytes blocks;                // of compressed data, each after its length
    std::size_t compressed_bytes = 0;

    [[nodiscard]] bool frame_is_canvas() const { return frame_width == width && frame_height == height; }
};

// Nothing where there is no frame, or one without pixels. A file that ends within its frame's data has what it has.
std::optional<GifContainer> read_gif_container(FileBytes file);

}  // namespace tessera::codecs
