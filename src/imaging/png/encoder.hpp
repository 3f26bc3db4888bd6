// Inside imaging only: writes PNG with libdeflate, trying filters instead of guessing where there is time for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "imaging/png/picture.hpp"

namespace tessera::imaging {

struct PngEncoding {
    int level = 6;             // libdeflate's, 1 to 12
    bool try_filters = false;  // compress quickly with each filter, and thoroughly with the best
};

// The bytes of the file. Throws std::bad_alloc.
std::string encode_png(const PngPicture& pixels, const PngEncoding& encoding);

// A chunk with its length and checksum.
std::string png_chunk(std::string_view type, std::string_view data);

// The iCCP chunk of a colour profile.
std::string png_profile_chunk(std::string_view profile);

}  // namespace tessera::imaging
