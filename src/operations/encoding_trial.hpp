// Which of two ways to encode takes fewer bytes for the same looks, tried on parts of a picture.
#pragma once

#include <filesystem>

#include "imaging/pixels/image.hpp"
#include "imaging/save/save.hpp"

namespace tessera::operations {

// The picture is eight-bit sRGB in memory; `scratch` is a folder for its parts, and the encoding's quality is the one
// that it is tried at.

// Whether imaging::Encoding::full_colour pays, for WebP or AVIF. It does for clear edges of colours and at high
// qualities; it does not for grain, and for soft colours.
JobResult<bool> full_colour_pays(const imaging::Image& image, const imaging::Encoding& encoding,
                                 const std::filesystem::path& scratch, const imaging::SaveContext& saving);

// Whether imaging::Encoding::as_screen pays, for AVIF. It does for some of what was drawn or rendered; photographs are
// not tried.
JobResult<bool> screen_pays(const imaging::Image& image, const imaging::Encoding& encoding,
                            const std::filesystem::path& scratch, const imaging::SaveContext& saving);

}  // namespace tessera::operations
