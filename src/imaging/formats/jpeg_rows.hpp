// JPEG pictures straight from libjpeg-turbo, strip by strip: much faster than through a general pipeline, and with no
// colour conversion at all where the receiver can use the planes as they are in the file.
#pragma once

#include <memory>
#include <optional>

#include "imaging/pixels/row_source.hpp"

namespace tessera::imaging {

enum class JpegPlanes {
    never,   // gray or rgb
    halved,  // the file's own planes where its colours are at half size (4:2:0)
    any,     // or at full size (4:4:4)
};

// Null for a JPEG whose colours need a conversion, such as CMYK. Profiles and orientation are the caller's to see to.
// Reads from the descriptor's start, whatever its position; it must stay open.
JobResult<std::unique_ptr<RowSource>> open_jpeg_rows(int fd, JpegPlanes planes);

}  // namespace tessera::imaging
