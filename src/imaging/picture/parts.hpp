// How many parts a file is made of. Loaders walk lists of them for each one more, so that some kilobytes of empty parts
// can take seconds; no honest file comes near what is too many.
#pragma once

#include "core/image_format.hpp"

namespace tessera::imaging {

// Only the headers are looked at. PNG's chunks are counted elsewhere (codecs/png/metadata.hpp), and the other formats'
// loaders see the first picture alone.
bool has_too_many_parts(int file, ImageFormat format);

}  // namespace tessera::imaging
