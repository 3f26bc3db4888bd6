// PNG files of every kind, built by hand from pixels that are known, and libpng as the judge of PNG files that we make.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tessera::test {

using DeepPixel = std::array<std::uint16_t, 4>;  // red, green, blue, alpha

struct PngKind {
    int colour_type = 2;
    int bit_depth = 8;
    bool transparent = false;  // tRNS: the colour of the pixel at 0, 0; of a palette the pixels' own alpha
    bool interlaced = false;
    std::string chunks = {};  // between header and palette
    [[nodiscard]] bool is_grey() const { return colour_type == 0 || colour_type == 4; }
    [[nodiscard]] bool has_alpha() const { return colour_type >= 4; }
};

// Every colour type with every depth that it can have, with tRNS where it can have it, interlaced and not.
std::vector<PngKind> all_png_kinds();
std::string name_of(const PngKind& kind);

// Of grey ones the red sample counts. Samples with fewer bits are the first of their sixteen; a palette has eight.
std::string make_png(const PngKind& kind, int width, int height, const std::function<DeepPixel(int x, int y)>& pixel);

// What a sample becomes in a file of that kind when it is read with eight bits, rounded.
int eight_bits_of(const PngKind& kind, std::uint16_t sample);

// Decoded by libpng: red, green, blue and alpha.
struct PngPixels {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> samples;
    [[nodiscard]] std::array<int, 4> at(int x, int y) const;
};
PngPixels read_by_libpng(const std::string& bytes);

}  // namespace tessera::test
