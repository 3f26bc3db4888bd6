// The chunks before a PNG's pixels, looked at without a decoder. libpng inflates all texts of a file before it says
// anything, so that 400 kB can cost it gigabytes and seconds.
#pragma once

#include "core/job.hpp"
#include "core/result.hpp"

namespace tessera::codecs {

// decode_failed where there are absurdly many chunks, or where compressed ones unfold to an absurd size.
Result<void, JobError> check_png_metadata(int file);

}  // namespace tessera::codecs
