// Inside patch only: the canvas of each format.
#pragma once

#include "tiles/patch/canvas.hpp"

namespace tessera::tiles {

using CanvasResult = Result<std::shared_ptr<PatchCanvas>>;

CanvasResult open_jpeg_canvas(int quality, Bytes original, int tile_size, DirtyCells dirty);
CanvasResult open_png_canvas(Bytes original, int tile_size, DirtyCells dirty);
// For pixels that were decoded already, too.
CanvasResult open_whole_canvas(ImageFormat format, Bytes original, int tile_size, DirtyCells dirty);
std::shared_ptr<PatchCanvas> make_whole_canvas(ImageBuffer pixels, Bytes original, DirtyCells dirty);

}  // namespace tessera::tiles
