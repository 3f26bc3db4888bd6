// How a file of WebP or AVIF stores its colour.
#pragma once

#include <filesystem>

#include "imaging/pixels/image.hpp"
#include "imaging/save/save.hpp"

namespace tessera::operations {

// Whether imaging::Encoding::full_colour takes fewer bytes for the same looks at the encoding's quality. It does for
// clear edges of colours and at high qualities; it does not for grain, and for soft colours. Tried on parts of the
// picture, which is eight-bit sRGB in memory; `scratch` is a folder for them.
JobResult<bool> full_colour_pays(const imaging::Image& image, const imaging::Encoding& encoding,
                                 const std::filesystem::path& scratch, const imaging::SaveContext& saving);

}  // namespace tessera::operations
