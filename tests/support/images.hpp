// Small pictures made while a test runs, as the bytes of a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/file.hpp"
#include "core/image_format.hpp"

namespace tessera::test {

struct Picture {
    ImageFormat format = ImageFormat::jpeg;
    int width = 64;
    int height = 48;
    int bands = 3;  // 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha (CMYK with `cmyk`)
    bool cmyk = false;
    bool deep = false;    // 16 bits a sample where the format can
    int orientation = 0;  // EXIF, where not 0
    int pages = 1;        // for gif and webp
};

// Noise over a gradient, so that no encoder makes it trivially small.
std::string make_image(const Picture& picture);

// A PNG, built by hand: any header, any chunks. Lengths and checksums are right.
std::string png_chunk(std::string_view type, std::string_view data);
std::string png_header(std::uint32_t width, std::uint32_t height, int bit_depth = 8, int colour_type = 2);
std::string zlib_compressed(std::string_view data);

// The first bytes of a JPEG that declares this size: SOI, SOF0 with three components, SOS, and nothing more.
std::string jpeg_header(std::uint16_t width, std::uint16_t height);

// An unlinked file that holds `bytes`.
UniqueFd file_with(std::string_view bytes);

}  // namespace tessera::test
