// A changed JPEG tile as a recipe: the bits of MCUs that are the same stay as they are stored, and new ones are written
// with the Huffman codes that the base has.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/jpeg/blocks.hpp"

namespace tessera::codecs {

// Over the file that it was opened from, or over another tile. Nothing where that can't be or is not worth it.
std::optional<std::vector<std::uint8_t>> jpeg_recipe(const JpegBlocks& changed);
std::optional<std::vector<std::uint8_t>> jpeg_recipe(const JpegBlocks& base, const JpegBlocks& changed);

}  // namespace tessera::codecs
