// JPEG pictures straight from libjpeg-turbo, strip by strip: much faster than through a general pipeline, and with no
// colour conversion at all where the receiver can use the planes as they are in the file.
#pragma once

#include <memory>
#include <optional>

#include "imaging/row_source.hpp"

namespace tessera::imaging {

enum class JpegPlanes {
    never,  // gray or rgb
    wanted  // the file's own planes where it has them at usable sizes
};

// Nothing for a JPEG that needs more than decoding: CMYK, an embedded colour profile, an orientation other than
// upright. Reads from the descriptor's start; it must stay open.
JobResult<std::unique_ptr<RowSource>> open_jpeg_rows(int fd, JpegPlanes planes);

}  // namespace tessera::imaging
