// A changed PNG tile of a photograph as a recipe over the tile it was made from: rows that are the same stay as they
// are stored, and so does every part of the compressed stream that holds none but such rows.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "imaging/tile/png_decoder.hpp"
#include "imaging/tile/tile_image.hpp"

namespace tessera::imaging {

// `base` is what `base_file` holds; `changed` is rgba. Nothing where the base is no photograph of our encoder's, or the
// change takes another type of pixel, or little would be left as it was.
std::optional<std::vector<std::uint8_t>> png_recipe(std::span<const std::uint8_t> base_file, const PngTile& base,
                                                    const ImageView& changed);

}  // namespace tessera::imaging
