// Encoders of tiles, straight on the codec libraries. One object serves one thread and many tiles of one size, and
// keeps its buffers and codec state between them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/effort.hpp"
#include "core/image_format.hpp"
#include "core/pixels.hpp"
#include "core/result.hpp"

namespace tessera::imaging {

// JPEG keeps colour at full size from this quality on; below it, the eye does not miss what halving takes. libvips
// draws the line at the same place.
inline constexpr int full_colour_jpeg_quality = 90;

struct TileEncoding {
    ImageFormat format = ImageFormat::jpeg;  // jpeg, png or webp
    int quality = 80;                        // of jpeg and webp
    Effort effort = Effort::quick;           // of png
};

class TileEncoder {
  public:
    static Result<std::unique_ptr<TileEncoder>> make(TileEncoding encoding);

    TileEncoder() = default;
    TileEncoder(const TileEncoder&) = delete;
    TileEncoder& operator=(const TileEncoder&) = delete;
    virtual ~TileEncoder() = default;

    // The bytes are the encoder's own until the next call. JPEG takes no rgba; PNG takes no ycbcr.
    virtual Result<std::span<const std::uint8_t>> encode(const ImageView& tile) = 0;
};

}  // namespace tessera::imaging
