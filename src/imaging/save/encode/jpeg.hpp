// Inside imaging only: plain JPEG, by libjpeg.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vips/vips8>

namespace tessera::imaging {

struct JpegSettings {
    int quality = 80;
    bool full_colour = false;  // or at half the resolution
    bool own_codes = false;    // a few percent smaller, and held in memory until all of it is there
};

// False where no more bytes are wanted.
using WriteBytes = std::function<bool(std::span<const std::uint8_t>)>;

// Eight bits of sRGB or grey; without JFIF and metadata. Throws VError, but not where `write` refuses.
void encode_jpeg(const vips::VImage& image, const JpegSettings& settings, WriteBytes write);

}  // namespace tessera::imaging
