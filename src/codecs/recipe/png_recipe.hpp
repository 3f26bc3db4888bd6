// A changed PNG tile of a photograph as a recipe over the tile of the base: all bytes that are the same stay as they
// are stored, left and right of the change, too, and new ones are written with the codes that the base has there.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "codecs/png/tile_reader.hpp"
#include "core/pixels.hpp"

namespace tessera::codecs {

// A tile, what it was before the change, and the rows that the change lies in, from top to bottom, none beside another.
struct ChangedPng {
    const PngTile& before;
    const ImageView& after;  // rgba
    std::span<const PngRows> rows;
};

// `base` is what `base_file` holds; it may be `before` itself. Both were read for a change of these rows; if they are
// two, all of both was read. Nothing where the base is no photograph of our encoder's, or the change takes another type
// of pixel, or little would be left as it was.
std::optional<std::vector<std::uint8_t>> png_recipe(std::span<const std::uint8_t> base_file, const PngTile& base,
                                                    const ChangedPng& changed);

}  // namespace tessera::codecs
