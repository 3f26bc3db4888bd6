// The chunks of a WebP file, without its decoder. Of an animation only the first frame matters.
#pragma once

#include <optional>

#include "codecs/bytes/embedded_metadata.hpp"

namespace tessera::codecs {

struct WebpContainer {
    int width = 0;  // of the canvas
    int height = 0;
    int frames = 1;
    // The first frame, or the only picture: where it lies on the canvas, and its bytes for the decoder (ALPH, and VP8
    // or VP8L). They may end before what their header says.
    int left = 0;
    int top = 0;
    int frame_width = 0;
    int frame_height = 0;
    bool lossy = false;
    FileBytes picture;
    EmbeddedMetadata metadata;

    [[nodiscard]] bool frame_is_canvas() const { return frame_width == width && frame_height == height; }
};

// Nothing where there is no picture, or a frame lies outside of the canvas.
std::optional<WebpContainer> read_webp_container(FileBytes file);

}  // namespace tessera::codecs
