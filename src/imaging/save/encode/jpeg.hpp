// Inside imaging only: plain JPEG, by libjpeg.
#pragma once

#include <cstdint>
#include <vector>
#include <vips/vips8>

namespace tessera::imaging {

struct JpegSettings {
    int quality = 80;
    bool full_colour = false;  // or at half the resolution
    bool own_codes = false;    // a few percent smaller
};

// Eight bits of sRGB or grey; without JFIF and metadata. Throws VError.
std::vector<std::uint8_t> encode_jpeg(const vips::VImage& image, const JpegSettings& settings);

}  // namespace tessera::imaging
