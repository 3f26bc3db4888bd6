#include "imaging/tile/png_recipe.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

#include "imaging/png/photo_deflate.hpp"
#include "imaging/tile/bit_stream.hpp"
#include "imaging/tile/png_filter.hpp"
#include "imaging/tile/splice.hpp"

namespace tessera::imaging {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t zlib_header = 2;

// The rows of an rgba picture as pixels of three bytes or four; nothing if three are too few.
std::optional<Bytes> rows_of(const ImageView& picture, std::size_t channels) {
    Bytes rows(static_cast<std::size_t>(picture.width) * channels * static_cast<std::size_t>(picture.height));
    std::uint8_t* out = rows.data();
    std::uint8_t all_alpha = 255;
    for (int y = 0; y < picture.height; ++y) {
        const std::uint8_t* from = picture.planes[0].row(y);
        for (int x = 0; x < picture.width; ++x, from += 4, out += channels) {
            std::memcpy(out, from, 3);
            if (channels == 4) out[3] = from[3];
            all_alpha &= from[3];
        }
    }
    if (channels == 3 && all_alpha != 255) return std::nullopt;
    return rows;
}

// Rows that are the same, and whose upper neighbours are, keep the filter that they have.
Bytes filtered_again(const PngTile& base, const Bytes& rows) {
    Bytes filtered = base.filtered;
    PngRowFilter filter(base.row_bytes, static_cast<std::size_t>(base.channels()));
    bool above_changed = false;
    for (int y = 0; y < base.height; ++y) {
        const std::uint8_t* row = rows.data() + static_cast<std::size_t>(y) * base.row_bytes;
        const bool changed = std::memcmp(row, base.row(y), base.row_bytes) != 0;
        if (changed || above_changed) {
            filter.filter(row, y == 0 ? nullptr : row - base.row_bytes,
                          filtered.data() + static_cast<std::size_t>(y) * (base.row_bytes + 1));
        }
        above_changed = changed;
    }
    return filtered;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> png_recipe(std::span<const std::uint8_t> base_file, const PngTile& base,
                                                    const ImageView& changed) {
    const bool in_colour = base.colour == PngColourType::rgb || base.colour == PngColourType::rgba;
    if (!in_colour || base.stream == 0 || !suits_photo_deflate(base.filtered)) return std::nullopt;
    const auto rows = rows_of(changed, static_cast<std::size_t>(base.channels()));
    if (!rows) return std::nullopt;
    const Bytes filtered = filtered_again(base, *rows);

    Splice splice{.stream = Splice::Stream::deflate,
                  .head = base.stream + zlib_header,
                  .adler32 = libdeflate_adler32(1, filtered.data(), filtered.size()),
                  .steps = {}};
    std::size_t place = 0;
    std::size_t kept = 0;
    for (const PhotoPart& part : photo_parts(filtered.size())) {
        // Where a part lies in the base's stream is known by making it again. A run may go on from the byte ahead.
        const std::size_t bits = photo_part_bits(base.filtered, part);
        const std::size_t begin = part.begin - (part.begin == 0 ? 0 : 1);
        if (std::memcmp(filtered.data() + begin, base.filtered.data() + begin, part.end - begin) == 0) {
            splice.steps.push_back({place, bits, {}});
            kept += bits;
        } else {
            PhotoBits made = photo_deflate_part(filtered, part);
            splice.steps.push_back({place, 0, {std::move(made.bytes), made.count}});
        }
        place += bits;
    }
    if (kept == 0) return std::nullopt;
    auto recipe = write_recipe(splice, base_file);
    if (!recipe) return std::nullopt;
    // Had another encoder made the base, the places would be wrong.
    const auto seen = read_png_tile(recipe->tile, base.width, false);
    if (!seen || seen->filtered != filtered) return std::nullopt;
    return std::move(recipe->bytes);
}

}  // namespace tessera::imaging
