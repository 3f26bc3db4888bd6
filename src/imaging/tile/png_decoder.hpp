// Reads the PNG files that our own encoder writes: eight bits a sample or a palette, not interlaced.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "imaging/tile/png_palette.hpp"
#include "imaging/tile/tile_image.hpp"

namespace tessera::imaging {

struct PngTile {
    PngColourType colour = PngColourType::rgb;
    int bit_depth = 0;
    int width = 0;
    int height = 0;
    std::array<Colour, 256> palette;
    std::size_t stream = 0;              // where the compressed rows start in the file, if they lie in one piece
    std::size_t row_bytes = 0;           // of a row of pixels
    std::vector<std::uint8_t> filtered;  // the rows as they are stored, each with its filter ahead
    std::vector<std::uint8_t> rows;      // the same as pixels of the file's own type

    [[nodiscard]] int channels() const { return channels_of(colour); }
    [[nodiscard]] const std::uint8_t* row(int y) const { return rows.data() + static_cast<std::size_t>(y) * row_bytes; }
    // Fills `tile`, which is rgb or rgba and of the same size.
    void paint(ImageBuffer& tile) const;
    [[nodiscard]] bool shows(const ImageBuffer& tile) const;

  private:
    void paint_row(int y, std::uint8_t* out, std::size_t out_bytes) const;
};

// Nothing for a file that is damaged or of another kind or size. Only `filtered` is filled in where pixels are not
// wanted.
std::optional<PngTile> read_png_tile(std::span<const std::uint8_t> bytes, int tile_size, bool want_pixels = true);

}  // namespace tessera::imaging
