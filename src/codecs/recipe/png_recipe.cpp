#include "codecs/recipe/png_recipe.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

#include "codecs/bits/bit_string.hpp"
#include "codecs/png/filter.hpp"
#include "codecs/png/photo_mend.hpp"
#include "codecs/recipe/splice.hpp"
#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

constexpr std::size_t zlib_header = 2;

// Rows of an rgba picture as pixels of three bytes or four; nothing if three are too few.
std::optional<Bytes> rows_of(const ImageView& picture, int top, int bottom, std::size_t channels) {
    // Whole pixels of four bytes are stored, the next one over the last byte of the one before.
    Bytes rows(static_cast<std::size_t>(picture.width) * channels * static_cast<std::size_t>(bottom - top) + 1);
    std::uint8_t* out = rows.data();
    std::uint32_t all = 0xFFFFFFFFU;
    for (int y = top; y < bottom; ++y) {
        const std::uint8_t* from = picture.planes[0].row(y);
        for (int x = 0; x < picture.width; ++x, from += 4, out += channels) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, from, sizeof pixel);
            std::memcpy(out, &pixel, sizeof pixel);
            all &= pixel;
        }
    }
    const bool is_opaque = all >> 24 == 255;
    if (channels == 3 && !is_opaque) return std::nullopt;
    return rows;
}

TESSERA_VECTORISED
std::uint32_t count_differences(const std::uint8_t* one, const std::uint8_t* other, std::size_t size) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += one[i] != other[i] ? 1U : 0U;
    return count;
}

// Rows that are the base's, and whose upper neighbours are, have the filter that they have there. Above and below the
// change this is so already, whether the tile is the base's own or was made by an earlier recipe.
std::optional<Bytes> filtered_again(const PngTile& base, const ChangedPng& changed) {
    const PngTile& before = changed.before;
    const auto rows = rows_of(changed.after, changed.top, changed.bottom, static_cast<std::size_t>(base.channels()));
    if (!rows) return std::nullopt;
    const auto row_of = [&](int y) {
        return y < changed.top || y >= changed.bottom
                   ? before.row(y)
                   : rows->data() + static_cast<std::size_t>(y - changed.top) * base.row_bytes;
    };
    const auto is_base = [&](int y) { return std::memcmp(row_of(y), base.row(y), base.row_bytes) == 0; };
    const std::size_t line = base.row_bytes + 1;
    Bytes filtered(before.stored().begin(), before.stored().end());
    PngRowFilter filter(base.row_bytes, static_cast<std::size_t>(base.channels()));
    bool above_is_base = changed.top == 0 || is_base(changed.top - 1);
    for (int y = changed.top; y < std::min(changed.bottom + 1, base.height); ++y) {
        const bool same = is_base(y);
        const std::size_t at = static_cast<std::size_t>(y) * line;
        const std::uint8_t* const above = y == 0 ? nullptr : row_of(y - 1);
        if (same && above_is_base) {
            std::copy_n(base.filtered.data() + at, line, filtered.data() + at);
        } else if (count_differences(row_of(y), base.row(y), base.row_bytes) <= base.row_bytes / 2) {
            // By the base's filter, what is left of the change and right of it stays as it is stored.
            filter.filter_by(base.filtered[at], row_of(y), above, filtered.data() + at);
        } else {
            filter.filter(PngRowChoice::smallest_sum, row_of(y), above, filtered.data() + at);
        }
        above_is_base = same;
    }
    return filtered;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> png_recipe(std::span<const std::uint8_t> base_file, const PngTile& base,
                                                    const ChangedPng& changed) {
    const bool in_colour = base.colour == PngColourType::rgb || base.colour == PngColourType::rgba;
    if (!in_colour || base.colour != changed.before.colour || base.blocks.empty()) return std::nullopt;
    const auto filtered = filtered_again(base, changed);
    if (!filtered) return std::nullopt;

    Splice splice{.stream = Splice::Stream::deflate,
                  .head = base.stream + zlib_header,
                  .adler32 = libdeflate_adler32(1, filtered->data(), filtered->size()),
                  .steps = {}};
    const View stream = base_file.subspan(splice.head);  // and what follows it, which is more than slack
    const PhotoBlock& last = base.blocks.back();
    constexpr std::size_t after = 4 + 4 + 12;  // the stream's checksum, the chunk's, and the last chunk
    if ((last.first_bit + last.bits + 7) / 8 + after != stream.size()) return std::nullopt;
    for (const PhotoBlock& block : base.blocks) {
        auto mends = photo_mend_block(stream, block, base.stored(), *filtered);
        for (BlockMend& mend : mends) {
            splice.steps.push_back({block.first_bit + mend.from, mend.bits, std::move(mend.then)});
        }
        if (mends.empty()) {
            splice.steps.push_back({block.first_bit, 0, photo_deflate_block(*filtered, block.bytes)});
        }
    }
    const bool all_is_new = std::ranges::all_of(splice.steps, [](const Splice::Step& step) { return step.bits == 0; });
    if (all_is_new) return std::nullopt;
    auto recipe = write_recipe(splice, base_file);
    if (!recipe) return std::nullopt;
    return std::move(recipe->bytes);
}

}  // namespace tessera::codecs
