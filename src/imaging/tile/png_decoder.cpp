#include "imaging/tile/png_decoder.hpp"

#include <libdeflate.h>

#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "imaging/tile/png_filter.hpp"
#include "imaging/tile/png_palette.hpp"

namespace tessera::imaging {
namespace {

std::uint32_t be32(const std::uint8_t* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

struct File {
    PngColour colour = PngColour::rgb;
    int bit_depth = 0;
    std::array<Colour, 256> palette;
    std::vector<std::uint8_t> packed;
};

struct FreeDecompressor {
    void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
};

bool read_header(const std::uint8_t* body, std::size_t length, const ImageBuffer& tile, File& file) {
    if (length != 13 || be32(body) != tile.width() || be32(body + 4) != tile.height()) return false;
    file.bit_depth = body[8];
    file.colour = static_cast<PngColour>(body[9]);
    return body[10] == 0 && body[11] == 0 && body[12] == 0;
}

// The chunks that matter; others of ours there are none.
bool read_chunks(std::span<const std::uint8_t> bytes, const ImageBuffer& tile, File& file) {
    std::size_t at = 8;
    if (bytes.size() < at || std::memcmp(bytes.data(), "\x89PNG\r\n\x1a\n", at) != 0) return false;
    while (bytes.size() - at >= 12) {
        const std::size_t length = be32(bytes.data() + at);
        if (length > bytes.size() - at - 12) return false;
        const std::uint8_t* body = bytes.data() + at + 8;
        if (libdeflate_crc32(0, body - 4, length + 4) != be32(body + length)) return false;
        const std::string_view name(reinterpret_cast<const char*>(body) - 4, 4);
        if (name == "IHDR" && !read_header(body, length, tile, file)) return false;
        if (name == "PLTE" && length <= 768) {
            for (std::size_t i = 0; i < length / 3; ++i) {
                file.palette[i] = {body[3 * i], body[3 * i + 1], body[3 * i + 2], 255};
            }
        }
        if (name == "tRNS" && length <= 256) {
            for (std::size_t i = 0; i < length; ++i) file.palette[i].alpha = body[i];
        }
        if (name == "IDAT") file.packed.insert(file.packed.end(), body, body + length);
        if (name == "IEND") return true;
        at += length + 12;
    }
    return false;
}

int channels_of(const File& file) {
    switch (file.colour) {
        case PngColour::gray:
        case PngColour::palette: return 1;
        case PngColour::gray_alpha: return 2;
        case PngColour::rgb: return 3;
        case PngColour::rgba: return 4;
    }
    return 0;
}

Colour pixel_of(const File& file, const std::uint8_t* row, std::size_t x) {
    switch (file.colour) {
        case PngColour::palette: {
            const auto depth = static_cast<std::size_t>(file.bit_depth);
            const std::size_t bit = x * depth;
            const unsigned number = row[bit / 8] >> (8 - depth - bit % 8) & ((1U << depth) - 1U);
            return file.palette[number];
        }
        case PngColour::gray: return {row[x], row[x], row[x], 255};
        case PngColour::gray_alpha: return {row[2 * x], row[2 * x], row[2 * x], row[2 * x + 1]};
        case PngColour::rgb: return {row[3 * x], row[3 * x + 1], row[3 * x + 2], 255};
        case PngColour::rgba: break;
    }
    return {row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]};
}

}  // namespace

bool decode_png_tile(std::span<const std::uint8_t> bytes, ImageBuffer& tile) {
    File file;
    if (!read_chunks(bytes, tile, file)) return false;
    const int channels = channels_of(file);
    const bool depth_fits =
        file.bit_depth == 8 ||
        (file.colour == PngColour::palette && (file.bit_depth == 1 || file.bit_depth == 2 || file.bit_depth == 4));
    if (channels == 0 || !depth_fits) return false;
    const auto width = static_cast<std::size_t>(tile.width());
    const auto height = static_cast<std::size_t>(tile.height());
    const std::size_t row_bytes = (width * static_cast<std::size_t>(channels * file.bit_depth) + 7) / 8;

    std::vector<std::uint8_t> rows((row_bytes + 1) * height);
    const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> inflate(libdeflate_alloc_decompressor());
    std::size_t made = 0;
    if (!inflate || libdeflate_zlib_decompress(inflate.get(), file.packed.data(), file.packed.size(), rows.data(),
                                               rows.size(), &made) != LIBDEFLATE_SUCCESS) {
        return false;
    }
    if (made != rows.size()) return false;

    const auto out_bytes = static_cast<std::size_t>(bytes_per_pixel(tile.layout()));
    for (std::size_t y = 0; y < height; ++y) {
        std::uint8_t* row = rows.data() + y * (row_bytes + 1) + 1;
        const std::uint8_t* above = y == 0 ? nullptr : row - (row_bytes + 1);
        if (!unfilter_png_row(row[-1], row, above, row_bytes, static_cast<std::size_t>(channels))) return false;
        std::uint8_t* out = tile.row(0, static_cast<std::int64_t>(y));
        for (std::size_t x = 0; x < width; ++x, out += out_bytes) {
            const Colour colour = pixel_of(file, row, x);
            out[0] = colour.red;
            out[1] = colour.green;
            out[2] = colour.blue;
            if (out_bytes == 4) out[3] = colour.alpha;
        }
    }
    return true;
}

}  // namespace tessera::imaging
