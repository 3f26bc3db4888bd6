// Opens a picture to be cut into tiles: decoded once from top to bottom, upright, in eight-bit sRGB, by the shortest
// way that gives the right pixels.
#pragma once

#include <filesystem>
#include <memory>

#include "core/colour.hpp"
#include "imaging/formats/jpeg_rows.hpp"
#include "imaging/picture/open.hpp"
#include "imaging/pixels/row_source.hpp"

namespace tessera::imaging {

struct Preprocess {
    bool normalize = false;  // stretch the contrast so that the darkest and lightest hundredths become black and white
    bool sharpen = false;
    bool grayscale = false;
    [[nodiscard]] bool any() const { return normalize || sharpen || grayscale; }
};

struct TileSource {
    Source source;   // its descriptor must stay open
    int rotate = 0;  // clockwise, after the picture is upright: 0, 90, 180 or 270
    Preprocess preprocess;
    Colour background;                      // opaque: shows through transparency, and the result has none
    JpegPlanes planes = JpegPlanes::never;  // which planes of a JPEG the receiver can use
    std::filesystem::path scratch;
};

JobResult<std::unique_ptr<RowSource>> open_tile_source(const TileSource& wanted);

}  // namespace tessera::imaging
