#include "codecs/png/tile_reader.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "codecs/png/chunks.hpp"
#include "codecs/png/inflate.hpp"
#include "codecs/png/unfilter.hpp"

namespace tessera::codecs {
namespace {

bool read_header(const std::uint8_t* body, std::size_t length, PngTile& tile) {
    if (length != 13) return false;
    const auto size = static_cast<std::uint32_t>(tile.width);
    tile.bit_depth = body[8];
    tile.colour = static_cast<PngColourType>(body[9]);
    return big_endian(body) == size && big_endian(body + 4) == size && body[10] == 0 && body[11] == 0 && body[12] == 0;
}

// The compressed rows: where they lie in the file, or joined where they lie in several pieces.
struct Packed {
    std::span<const std::uint8_t> bytes;
    std::vector<std::uint8_t> joined;
    std::span<const std::uint8_t> bands;  // what the file says of them

    void add(std::span<const std::uint8_t> piece) {
        if (bytes.empty()) {
            bytes = piece;
            return;
        }
        if (joined.empty()) joined.assign(bytes.begin(), bytes.end());
        joined.insert(joined.end(), piece.begin(), piece.end());
        bytes = joined;
    }
};

// The chunks that matter; others of ours there are none. Gives the compressed rows.
std::optional<Packed> read_chunks(std::span<const std::uint8_t> bytes, PngTile& tile) {
    Packed packed;
    std::size_t at = 8;
    if (bytes.size() < at || std::memcmp(bytes.data(), "\x89PNG\r\n\x1a\n", at) != 0) return std::nullopt;
    while (bytes.size() - at >= 12) {
        const std::size_t length = big_endian(bytes.data() + at);
        if (length > bytes.size() - at - 12) return std::nullopt;
        const std::uint8_t* body = bytes.data() + at + 8;
        if (libdeflate_crc32(0, body - 4, length + 4) != big_endian(body + length)) return std::nullopt;
        const std::string_view name(reinterpret_cast<const char*>(body) - 4, 4);
        if (name == "IHDR" && !read_header(body, length, tile)) return std::nullopt;
        if (name == "PLTE" && length <= 768) {
            for (std::size_t i = 0; i < length / 3; ++i) {
                tile.palette[i] = {body[3 * i], body[3 * i + 1], body[3 * i + 2], 255};
            }
        }
        if (name == "tRNS" && length <= 256) {
            for (std::size_t i = 0; i < length; ++i) tile.palette[i].alpha = body[i];
        }
        if (name == "IDAT") {
            tile.stream = packed.bytes.empty() ? at + 8 : 0;
            packed.add({body, length});
        }
        if (name == bands_chunk) packed.bands = {body, length};
        if (name == "IEND") return packed;
        at += length + 12;
    }
    return std::nullopt;
}

// The deflate stream of rows in one piece, as photo_deflate writes it: what follows it in the file is slack enough.
std::optional<std::span<const std::uint8_t>> photo_stream(const Packed& packed, const PngTile& tile) {
    constexpr std::size_t zlib_header = 2;
    constexpr std::size_t zlib_trailer = 4;
    static_assert(zlib_trailer + 4 + 12 >= photo_inflate_slack, "the checksums and the last chunk");
    const std::span<const std::uint8_t> bytes = packed.bytes;
    if (tile.stream == 0 || bytes.size() < zlib_header + zlib_trailer || bytes[0] != 0x78 || bytes[1] != 0x01) {
        return std::nullopt;
    }
    return bytes.subspan(zlib_header, bytes.size() - zlib_header - zlib_trailer);
}

// The checksum that zlib writes after the stream.
std::uint32_t adler32_after(std::span<const std::uint8_t> stream) {
    return big_endian(stream.data() + stream.size());
}

// The first of them is the tile's first, or starts a band, or the one above it is ready.
bool unfilter_rows(PngTile& tile, std::size_t begin, std::size_t end) {
    const std::size_t line = tile.line_bytes();
    const bool alone = tile.starts_anew(static_cast<int>(begin));
    const std::vector<std::uint8_t> zeros(alone ? tile.row_bytes + unfilter_slack : 0);
    for (std::size_t y = begin; y < end;) {
        const std::uint8_t* from = tile.filtered.data() + y * line;
        std::uint8_t* out = tile.rows.data() + y * tile.row_bytes;
        const std::uint8_t* above = y == begin && alone ? zeros.data() : out - tile.row_bytes;
        const bool two = y + 1 < end && unfilter_two(from, above, out, tile.row_bytes, tile.channels());
        if (!two && !unfilter(from[0], from + 1, above, out, tile.row_bytes, tile.channels())) return false;
        y += two ? 2 : 1;
    }
    return true;
}

// Up to which row of a band, from its own first one on, rows are needed for a change.
std::size_t needed_of_band(std::span<const PngRows> rows, std::size_t begin, std::size_t end) {
    std::size_t needed = 0;
    for (const PngRows& range : rows) {
        const auto top = static_cast<std::size_t>(range.top);
        const auto bottom = static_cast<std::size_t>(range.bottom);
        // The row below the change may have been filtered with a look at it.
        if (top < end && bottom > begin) needed = std::min(bottom + 1, end) - begin;
    }
    return needed;
}

// The same for every band.
std::vector<std::size_t> needed_of_bands(std::span<const PngRows> rows, const PngTile& tile) {
    const auto height = static_cast<std::size_t>(tile.height);
    std::vector<std::size_t> needed;
    for (std::size_t begin = 0; begin < height; begin += tile.bands.rows) {
        needed.push_back(needed_of_band(rows, begin, std::min(begin + tile.bands.rows, height)));
    }
    return needed;
}

// False where the file tells of no bands, or of such that can't be.
bool find_bands(const Packed& packed, PngTile& tile) {
    const auto stream = photo_stream(packed, tile);
    if (!stream || packed.bands.empty()) return false;
    const auto height = static_cast<std::size_t>(tile.height);
    auto bands = read_bands(packed.bands, {height, tile.line_bytes(), stream->size(), adler32_after(*stream)});
    if (bands) tile.bands = std::move(*bands);
    return bands.has_value();
}

// The block that a band is told to be.
PlacedBlock block_of_band(const PngTile& tile, std::size_t number) {
    const std::size_t band_bytes = tile.bands.rows * tile.line_bytes();
    const std::span<const BlockNote> notes = tile.bands.notes;
    return {.bytes = {number * band_bytes, std::min((number + 1) * band_bytes, tile.stored().size())},
            .first_bit = number == 0 ? 0 : notes[number - 1].end_bit,
            .end_bit = notes[number].end_bit,
            .is_last = number + 1 == notes.size()};
}

// Inflates the bands that are needed. Where the stream ends matters in any case.
bool inflate_bands(std::span<const std::uint8_t> stream, std::span<const std::size_t> needed, PngTile& tile) {
    std::vector<PlacedBlock> placed;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] > 0) placed.push_back(block_of_band(tile, i));
    }
    if (needed.back() == 0 && !photo_may_end_with(stream, block_of_band(tile, needed.size() - 1))) return false;
    auto blocks = photo_inflate_blocks(stream, tile.filtered, placed);
    if (!blocks) return false;
    tile.blocks = std::move(*blocks);
    return true;
}

// Whether a band that was inflated is what was told of it, and can be read without the rows above it.
bool is_as_told(const PngTile& tile, const PhotoBlock& band) {
    constexpr int sub = 1;  // the last filter that does not look at the row above
    const std::size_t number = band.bytes.begin / (tile.bands.rows * tile.line_bytes());
    const std::uint8_t* const first = tile.filtered.data() + band.bytes.begin;
    return (number == 0 || *first <= sub) &&
           libdeflate_adler32(1, first, band.bytes.end - band.bytes.begin) == tile.bands.notes[number].adler32;
}

// The bands that the rows need. False, and nothing is of use, where they are not as the file tells.
bool read_in_bands(const Packed& packed, std::span<const PngRows> rows, PngTile& tile) {
    if (!find_bands(packed, tile)) return false;
    const std::vector<std::size_t> needed = needed_of_bands(rows, tile);
    if (!inflate_bands(*photo_stream(packed, tile), needed, tile)) return false;
    if (!std::ranges::all_of(tile.blocks, [&](const PhotoBlock& band) { return is_as_told(tile, band); })) return false;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const std::size_t begin = i * tile.bands.rows;
        if (needed[i] > 0 && !unfilter_rows(tile, begin, begin + needed[i])) return false;
    }
    return true;
}

bool inflate_photo(const Packed& packed, PngTile& tile) {
    const auto stream = photo_stream(packed, tile);
    if (!stream) return false;
    const std::size_t size = tile.stored().size();
    auto blocks = photo_inflate(*stream, tile.filtered, size);
    if (!blocks || libdeflate_adler32(1, tile.filtered.data(), size) != adler32_after(*stream)) return false;
    tile.blocks = std::move(*blocks);
    return true;
}

// All that is stored, whatever the file tells of bands.
bool inflate_whole(const Packed& packed, PngTile& tile) {
    tile.bands = {};
    tile.blocks.clear();
    return inflate_photo(packed, tile) ||
           inflate_into(std::span(tile.filtered).first(tile.stored().size()), packed.bytes);
}

// The tile's head, and room for all of it.
std::optional<Packed> open_tile(std::span<const std::uint8_t> bytes, int tile_size, PngTile& tile) {
    tile.width = tile.height = tile_size;
    auto packed = read_chunks(bytes, tile);
    if (!packed) return std::nullopt;
    const bool depth_fits =
        tile.bit_depth == 8 ||
        (tile.colour == PngColourType::palette && (tile.bit_depth == 1 || tile.bit_depth == 2 || tile.bit_depth == 4));
    if (tile.channels() == 0 || !depth_fits) return std::nullopt;
    tile.row_bytes =
        (static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.channels() * tile.bit_depth) + 7) / 8;
    const auto height = static_cast<std::size_t>(tile.height);
    tile.filtered.resize(tile.line_bytes() * height + unfilter_slack);
    tile.rows.resize(tile.row_bytes * height + unfilter_slack);
    return packed;
}

}  // namespace

bool PngTile::make_ready(int bottom) {
    bottom = std::min(bottom, height);
    if (ready_ >= bottom) return true;
    if (!unfilter_rows(*this, static_cast<std::size_t>(ready_), static_cast<std::size_t>(bottom))) return false;
    ready_ = bottom;
    return true;
}

std::optional<PngTile> read_png_tile(std::span<const std::uint8_t> bytes, int tile_size, int rows) {
    PngTile tile;
    const auto packed = open_tile(bytes, tile_size, tile);
    if (!packed || !inflate_whole(*packed, tile) || !tile.make_ready(rows)) return std::nullopt;
    return tile;
}

std::optional<PngTile> read_png_rows(std::span<const std::uint8_t> bytes, int tile_size,
                                     std::span<const PngRows> rows) {
    PngTile tile;
    const auto packed = open_tile(bytes, tile_size, tile);
    if (!packed) return std::nullopt;
    if (read_in_bands(*packed, rows, tile)) return tile;
    const int bottom = rows.empty() ? 0 : rows.back().bottom;
    if (!inflate_whole(*packed, tile) || !tile.make_ready(bottom + 1)) return std::nullopt;
    return tile;
}

}  // namespace tessera::codecs
