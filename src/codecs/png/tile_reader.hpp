// Reads the PNG files that our own encoder writes: eight bits a sample or a palette, not interlaced.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/png/bands.hpp"
#include "codecs/png/colour_type.hpp"
#include "codecs/png/photo_inflate.hpp"
#include "core/pixels.hpp"
#include "core/unset_bytes.hpp"

namespace tessera::codecs {

// Rows of a tile, the last one not included.
struct PngRows {
    int top = 0;
    int bottom = 0;
};

struct PngTile {
    PngColourType colour = PngColourType::rgb;
    int bit_depth = 0;
    int width = 0;
    int height = 0;
    std::array<Colour, 256> palette;
    std::size_t stream = 0;     // where the compressed rows start in the file, if they lie in one piece
    std::size_t row_bytes = 0;  // of a row of pixels
    UnsetBytes filtered;        // the rows as they are stored, each with its filter ahead; and some slack
    PhotoBlocks blocks;         // of the compressed rows, if photo_deflate made them: those that were read
    PngBands bands;             // if just some of them may have been read
    UnsetBytes rows;            // the same as pixels of the file's own type, as many as were asked for

    [[nodiscard]] int channels() const { return channels_of(colour); }
    [[nodiscard]] std::size_t line_bytes() const { return row_bytes + 1; }
    // What the compressed stream holds; where there are bands, the bytes of blocks alone are set.
    [[nodiscard]] std::span<const std::uint8_t> stored() const {
        return std::span(filtered).first(line_bytes() * static_cast<std::size_t>(height));
    }
    [[nodiscard]] const std::uint8_t* row(int y) const { return rows.data() + static_cast<std::size_t>(y) * row_bytes; }
    [[nodiscard]] bool is_whole() const { return bands.rows == 0; }
    // Whether the row is stored without a look at the one above.
    [[nodiscard]] bool starts_anew(int y) const {
        return y == 0 || (!is_whole() && static_cast<std::size_t>(y) % bands.rows == 0);
    }
    // Of a tile that is whole, makes rows down to this one (not included) ready. False where one of them is damaged.
    bool make_ready(int bottom);
    // Fills rows of `tile`, which is rgb or rgba and of the same size, from rows that are ready.
    void paint(ImageBuffer& tile, const PngRows& which) const;
    [[nodiscard]] bool shows(const ImageBuffer& tile, const PngRows& which) const;

  private:
    void paint_row(int y, std::uint8_t* out, std::size_t out_bytes) const;
    int ready_ = 0;
};

// Nothing for a file that is damaged or of another kind or size. The tile is whole, and so many rows from the top are
// ready, all of them unless told.
std::optional<PngTile> read_png_tile(std::span<const std::uint8_t> bytes, int tile_size, int rows = 1 << 30);

// The same for a change of some rows, which are given from top to bottom. They are ready, and so are the rows next to
// them that matter for how rows are stored. Bands that none of them lie in are not read, and then the tile is not
// whole.
std::optional<PngTile> read_png_rows(std::span<const std::uint8_t> bytes, int tile_size, std::span<const PngRows> rows);

}  // namespace tessera::codecs
