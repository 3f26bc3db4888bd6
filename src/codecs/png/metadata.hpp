// The chunks before a PNG's pixels, looked at without a decoder. libpng inflates all texts of a file before it says
// anything, so that 400 kB can cost it gigabytes and seconds.
#pragma once

#include "codecs/bytes/embedded_metadata.hpp"
#include "core/job.hpp"
#include "core/result.hpp"

namespace tessera::codecs {

// decode_failed where there are absurdly many chunks, or where compressed ones unfold to an absurd size.
Result<void, JobError> check_png_metadata(int file);

// The first of each that stands before the pixels, of a file whose chunks agree with their checksums. Profiles that
// libpng would not take are left out: those of other colours than the picture's, and those whose header is wrong. So is
// one after the word that the colours are sRGB.
GatheredMetadata read_png_metadata(int file);

}  // namespace tessera::codecs
