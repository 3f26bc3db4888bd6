// A changed PNG tile of a photograph as a recipe over the tile of the base: all bytes that are the same stay as they
// are stored, left and right of the change, too, and new ones are written with the codes that the base has there.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "codecs/png/tile_reader.hpp"
#include "core/pixels.hpp"

namespace tessera::codecs {

// A tile, what it was before the change, and the rows (the last one not included) that the change lies in.
struct ChangedPng {
    const PngTile& before;
    const ImageView& after;  // rgba
    int top = 0;
    int bottom = 0;
};

// `base` is what `base_file` holds; it may be `before` itself. Rows down to the one after `bottom` are ready in both.
// Nothing where the base is no photograph of our encoder's, or the change takes another type of pixel, or little would
// be left as it was.
std::optional<std::vector<std::uint8_t>> png_recipe(std::span<const std::uint8_t> base_file, const PngTile& base,
                                                    const ChangedPng& changed);

}  // namespace tessera::codecs
