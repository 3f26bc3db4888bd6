#include "codecs/recipe/png_recipe.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

#include "codecs/bits/bit_string.hpp"
#include "codecs/png/adler.hpp"
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

// Filters rows that changed, and those below them, into what the tile will hold.
class RowsAgain {
  public:
    RowsAgain(const PngTile& base, const PngTile& before, std::span<std::uint8_t> filtered)
        : base_(base),
          before_(before),
          filtered_(filtered),
          filter_(base.row_bytes, static_cast<std::size_t>(base.channels())) {}

    // Rows that are the base's, and whose upper neighbours are, have the filter that they have there. Above and below
    // the change this is so already, whether the tile is the base's own or was made by an earlier recipe.
    bool filter(const ImageView& after, const PngRows& changed) {
        const auto rows = rows_of(after, changed.top, changed.bottom, static_cast<std::size_t>(base_.channels()));
        if (!rows) return false;
        const auto row_of = [&](int y) {
            return y < changed.top || y >= changed.bottom
                       ? before_.row(y)
                       : rows->data() + static_cast<std::size_t>(y - changed.top) * base_.row_bytes;
        };
        const auto is_base = [&](int y) { return std::memcmp(row_of(y), base_.row(y), base_.row_bytes) == 0; };
        bool above_is_base = base_.starts_anew(changed.top) || is_base(changed.top - 1);
        for (int y = changed.top; y < std::min(changed.bottom + 1, base_.height); ++y) {
            const bool alone = base_.starts_anew(y);
            if (y == changed.bottom && alone) break;
            const bool same = is_base(y);
            if (same && (above_is_base || alone)) {
                const auto from = base_.stored().begin() + line(y);
                std::copy(from, from + static_cast<std::ptrdiff_t>(base_.line_bytes()), filtered_.begin() + line(y));
            } else {
                filter_row(y, row_of(y), alone ? nullptr : row_of(y - 1));
            }
            above_is_base = same;
        }
        return true;
    }

  private:
    [[nodiscard]] std::ptrdiff_t line(int y) const { return y * static_cast<std::ptrdiff_t>(base_.line_bytes()); }

    // `above` is null where it may not be looked at.
    void filter_row(int y, const std::uint8_t* row, const std::uint8_t* above) {
        std::uint8_t* const out = filtered_.data() + line(y);
        if (count_differences(row, base_.row(y), base_.row_bytes) <= base_.row_bytes / 2) {
            // By the base's filter, what is left of the change and right of it stays as it is stored.
            filter_.filter_by(base_.filtered[static_cast<std::size_t>(line(y))], row, above, out);
        } else if (above == nullptr) {
            filter_.filter_alone(row, out);
        } else {
            filter_.filter(PngRowChoice::smallest_sum, row, above, out);
        }
    }

    const PngTile& base_;
    const PngTile& before_;
    std::span<std::uint8_t> filtered_;
    PngRowFilter filter_;
};

// What the changed tile holds, in the parts of it that are the base's blocks.
std::optional<UnsetBytes> filtered_again(const PngTile& base, const ChangedPng& changed) {
    UnsetBytes filtered(base.stored().size());
    for (const PhotoBlock& block : base.blocks) {
        std::copy(changed.before.stored().begin() + static_cast<std::ptrdiff_t>(block.bytes.begin),
                  changed.before.stored().begin() + static_cast<std::ptrdiff_t>(block.bytes.end),
                  filtered.begin() + static_cast<std::ptrdiff_t>(block.bytes.begin));
    }
    RowsAgain again(base, changed.before, filtered);
    for (const PngRows& rows : changed.rows) {
        if (!again.filter(changed.after, rows)) return std::nullopt;
    }
    return filtered;
}

// The checksum of all that the changed tile holds. Of bands that were not read the file tells theirs.
std::uint32_t adler32_of(const PngTile& base, View filtered) {
    if (base.bands.notes.empty()) return libdeflate_adler32(1, filtered.data(), filtered.size());
    std::uint32_t adler32 = 1;
    const std::size_t band_bytes = base.bands.rows * base.line_bytes();
    auto block = base.blocks.begin();
    std::size_t begin = 0;
    for (const BlockNote& note : base.bands.notes) {
        const std::size_t size = std::min(band_bytes, filtered.size() - begin);
        const bool was_read = block != base.blocks.end() && block->bytes.begin == begin;
        const std::uint32_t its = was_read ? libdeflate_adler32(1, filtered.data() + begin, size) : note.adler32;
        adler32 = joined_adler32(adler32, its, size);
        if (was_read) ++block;
        begin += size;
    }
    return adler32;
}

// Steps of a splice, as few as they can be.
class StepList {
  public:
    void keep(std::size_t from, std::size_t bits) {
        if (bits == 0) return;
        if (!steps_.empty() && steps_.back().then.count == 0 && end() == from) {
            steps_.back().bits += bits;
        } else {
            steps_.push_back({from, bits, {}});
        }
    }
    // After what is kept up to this bit.
    void put(BitString bits, std::size_t at) {
        if (steps_.empty() || steps_.back().then.count > 0 || end() != at) steps_.push_back({at, 0, {}});
        steps_.back().then = std::move(bits);
    }
    [[nodiscard]] std::vector<Splice::Step> take() { return std::move(steps_); }

  private:
    [[nodiscard]] std::size_t end() const { return steps_.back().from + steps_.back().bits; }
    std::vector<Splice::Step> steps_;
};

// Whatever lies between the blocks that were read is kept.
std::vector<Splice::Step> steps_for(const PngTile& base, View stream, View filtered) {
    StepList steps;
    std::size_t done = 0;
    for (const PhotoBlock& block : base.blocks) {
        steps.keep(done, block.first_bit - done);
        done = block.first_bit + block.bits;
        auto mends = photo_mend_block(stream, block, base.stored(), filtered);
        if (mends.empty()) steps.put(photo_deflate_block(filtered, block.bytes), block.first_bit);
        for (BlockMend& mend : mends) {
            const std::size_t from = block.first_bit + mend.from;
            steps.keep(from, mend.bits);
            if (mend.then.count > 0) steps.put(std::move(mend.then), from + mend.bits);
        }
    }
    if (!base.bands.notes.empty()) steps.keep(done, base.bands.notes.back().end_bit - done);
    return steps.take();
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
                  .adler32 = adler32_of(base, *filtered),
                  .steps = {}};
    // With what follows the stream, which is more than slack.
    splice.steps = steps_for(base, base_file.subspan(splice.head), *filtered);
    const bool all_is_new = std::ranges::all_of(splice.steps, [](const Splice::Step& step) { return step.bits == 0; });
    if (all_is_new) return std::nullopt;
    auto recipe = write_recipe(splice, base_file);
    if (!recipe) return std::nullopt;
    return std::move(recipe->bytes);
}

}  // namespace tessera::codecs
