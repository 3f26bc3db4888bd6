// Inside imaging only: EXIF data made true of a picture that was turned, scaled or converted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::imaging {

struct PictureFacts {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool srgb = true;
};

// A TIFF structure, as files other than JPEG hold it: upright, of this size, and without the small copy of the picture,
// which shows what was there before. Empty where `exif` can't be read.
std::string exif_of(std::string_view exif, const PictureFacts& facts);

}  // namespace tessera::imaging
