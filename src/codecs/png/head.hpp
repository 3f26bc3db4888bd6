// What stands before the pixels of a PNG of a plain kind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "codecs/png/chunks.hpp"
#include "codecs/png/colour_type.hpp"

namespace tessera::codecs {

struct PngHead {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bit_depth = 0;
    PngColourType colour_type = PngColourType::grey;
    // Colours by index; for grey of a few bits a sample the greys, by sample.
    std::array<std::array<std::uint8_t, 4>, 256> colours{};
    bool has_alphas = false;  // in the palette
    PngChunk first_pixels;    // the chunk whose data is next in the file

    [[nodiscard]] int channels() const { return channels_of(colour_type); }  // as stored
    [[nodiscard]] int bands() const;  // as shown: a palette's colours have three, or four
    [[nodiscard]] bool is_looked_up() const { return colour_type == PngColourType::palette || bit_depth < 8; }
};

// Reads as far as the pixels. Nothing where the file is interlaced, declares one colour transparent, has rows of
// absurd length or chunks that are unknown and critical, or is damaged.
std::optional<PngHead> read_plain_head(BufferedFile& file);

}  // namespace tessera::codecs
