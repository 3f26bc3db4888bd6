#include "codecs/png/tile_reader.hpp"

#include <libdeflate.h>

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
        if (name == "IEND") return packed;
        at += length + 12;
    }
    return std::nullopt;
}

// Rows that photo_deflate made, which must lie in one piece: what follows them in the file is slack enough.
bool inflate_photo(std::span<const std::uint8_t> packed, std::size_t size, PngTile& tile) {
    constexpr std::size_t zlib_header = 2;
    constexpr std::size_t zlib_trailer = 4;
    static_assert(zlib_trailer + 4 + 12 >= photo_inflate_slack, "the checksums and the last chunk");
    static_assert(unfilter_slack >= photo_inflate_room);
    if (tile.stream == 0 || packed.size() < zlib_header + zlib_trailer || packed[0] != 0x78 || packed[1] != 0x01) {
        return false;
    }
    const auto stream = packed.subspan(zlib_header, packed.size() - zlib_header - zlib_trailer);
    auto blocks = photo_inflate(stream, tile.filtered, size);
    if (!blocks) return false;
    if (libdeflate_adler32(1, tile.filtered.data(), size) != big_endian(stream.data() + stream.size())) return false;
    tile.blocks = std::move(*blocks);
    return true;
}

Colour pixel_of(const PngTile& tile, const std::uint8_t* row, std::size_t x) {
    switch (tile.colour) {
        case PngColourType::palette: {
            const auto depth = static_cast<std::size_t>(tile.bit_depth);
            const std::size_t bit = x * depth;
            const unsigned number = row[bit / 8] >> (8 - depth - bit % 8) & ((1U << depth) - 1U);
            return tile.palette[number];
        }
        case PngColourType::grey: return {row[x], row[x], row[x], 255};
        case PngColourType::grey_alpha: return {row[2 * x], row[2 * x], row[2 * x], row[2 * x + 1]};
        case PngColourType::rgb: return {row[3 * x], row[3 * x + 1], row[3 * x + 2], 255};
        case PngColourType::rgba: break;
    }
    return {row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]};
}

}  // namespace

void PngTile::paint_row(int y, std::uint8_t* out, std::size_t out_bytes) const {
    const std::uint8_t* from = row(y);
    if (static_cast<std::size_t>(channels()) == out_bytes) {
        std::memcpy(out, from, row_bytes);
        return;
    }
    if (colour == PngColourType::rgb) {
        for (int x = 0; x < width; ++x, out += out_bytes, from += 3) {
            std::uint32_t pixel = 0;  // and a byte of the next one, or of the slack
            std::memcpy(&pixel, from, sizeof pixel);
            pixel |= 0xFF000000U;
            std::memcpy(out, &pixel, sizeof pixel);
        }
        return;
    }
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x, out += out_bytes) {
        const Colour pixel = pixel_of(*this, from, x);
        out[0] = pixel.red;
        out[1] = pixel.green;
        out[2] = pixel.blue;
        if (out_bytes == 4) out[3] = pixel.alpha;
    }
}

bool PngTile::make_ready(int bottom) {
    const std::vector<std::uint8_t> zeros(ready_ == 0 ? row_bytes + unfilter_slack : 0);
    bottom = std::min(bottom, height);
    while (ready_ < bottom) {
        const std::uint8_t* from = filtered.data() + static_cast<std::size_t>(ready_) * (row_bytes + 1);
        std::uint8_t* out = rows.data() + static_cast<std::size_t>(ready_) * row_bytes;
        const std::uint8_t* above = ready_ == 0 ? zeros.data() : out - row_bytes;
        const bool two = ready_ + 1 < bottom && unfilter_two(from, above, out, row_bytes, channels());
        if (!two && !unfilter(from[0], from + 1, above, out, row_bytes, channels())) return false;
        ready_ += two ? 2 : 1;
    }
    return true;
}

void PngTile::paint(ImageBuffer& tile, int top, int bottom) const {
    const auto out_bytes = static_cast<std::size_t>(bytes_per_pixel(tile.layout()));
    for (int y = top; y < bottom; ++y) paint_row(y, tile.row(0, y), out_bytes);
}

bool PngTile::shows(const ImageBuffer& tile, int top, int bottom) const {
    const auto out_bytes = static_cast<std::size_t>(bytes_per_pixel(tile.layout()));
    std::vector<std::uint8_t> own(static_cast<std::size_t>(width) * out_bytes);
    for (int y = top; y < bottom; ++y) {
        paint_row(y, own.data(), out_bytes);
        if (std::memcmp(own.data(), tile.row(0, y), own.size()) != 0) return false;
    }
    return true;
}

std::optional<PngTile> read_png_tile(std::span<const std::uint8_t> bytes, int tile_size, int rows) {
    PngTile tile;
    tile.width = tile.height = tile_size;
    const auto packed = read_chunks(bytes, tile);
    if (!packed) return std::nullopt;
    const bool depth_fits =
        tile.bit_depth == 8 ||
        (tile.colour == PngColourType::palette && (tile.bit_depth == 1 || tile.bit_depth == 2 || tile.bit_depth == 4));
    if (tile.channels() == 0 || !depth_fits) return std::nullopt;
    tile.row_bytes =
        (static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.channels() * tile.bit_depth) + 7) / 8;

    const std::size_t expected = (tile.row_bytes + 1) * static_cast<std::size_t>(tile.height);
    tile.filtered.resize(expected + unfilter_slack);
    if (!inflate_photo(packed->bytes, expected, tile) &&
        !inflate_into(std::span(tile.filtered).first(expected), packed->bytes)) {
        return std::nullopt;
    }
    tile.rows.resize(tile.row_bytes * static_cast<std::size_t>(tile.height) + unfilter_slack);
    if (!tile.make_ready(rows)) return std::nullopt;
    return tile;
}

}  // namespace tessera::codecs
