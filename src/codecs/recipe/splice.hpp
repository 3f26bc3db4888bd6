// A tile as its difference from another: a recipe that copies bits of the other tile's compressed stream and puts new
// ones between them. What a patch does not reach is not written again, and nothing is decoded or encoded to put the
// tile together: a few microseconds' work. Recipes begin with bytes that no picture begins with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/bits/bit_string.hpp"
#include "core/result.hpp"

namespace tessera::codecs {

struct Splice {
    enum class Stream : std::uint8_t {
        jpeg = 1,     // a baseline scan, the last part of the file
        deflate = 2,  // the one IDAT of a PNG; of what follows it, IEND alone stays
    };
    struct Step {
        std::size_t from = 0;  // of the other tile's stream: bits from here on,
        std::size_t bits = 0;  // so many of them,
        BitString then;        // and after them these
    };
    Stream stream = Stream::jpeg;
    std::size_t head = 0;       // bytes before the stream, which are kept
    std::uint32_t adler32 = 0;  // of what a deflate stream holds
    std::vector<Step> steps;    // none starts before the one ahead of it has ended
};

[[nodiscard]] bool is_recipe(std::span<const std::uint8_t> bytes);

struct Recipe {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> tile;  // what it makes
};
// Nothing if the splice reaches outside `base`.
[[nodiscard]] std::optional<Recipe> write_recipe(const Splice& splice, std::span<const std::uint8_t> base);

// The tile. Fails when the recipe is damaged or `base` is not the tile that it was made for.
[[nodiscard]] Result<std::vector<std::uint8_t>> follow_recipe(std::span<const std::uint8_t> recipe,
                                                              std::span<const std::uint8_t> base);

}  // namespace tessera::codecs
