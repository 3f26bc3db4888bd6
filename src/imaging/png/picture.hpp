// Inside imaging only: the pixels of a PNG to be written, and the smallest PNG pixel format that holds exactly them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::imaging {

struct PngPicture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int channels = 3;                   // 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha; 1 with a palette
    int bit_depth = 8;                  // 16 is big-endian; less than 8 only with one channel
    std::vector<std::uint8_t> rows;     // no padding between rows but to whole bytes
    std::vector<std::uint8_t> palette;  // RGBA entries, empty without
    [[nodiscard]] std::size_t row_bytes() const;
    [[nodiscard]] int colour_type() const;
};

struct PngReduction {
    // Not where a profile for the other kind stays in the file: a palette is of colours.
    bool to_grey = true;
    bool to_colours = true;
};

// Drops what carries nothing: low bytes that repeat the high ones, alpha that is opaque everywhere, colour channels
// that are equal, and, with at most 256 colours, the channels themselves.
PngPicture reduced(PngPicture pixels, const PngReduction& allowed);

}  // namespace tessera::imaging
