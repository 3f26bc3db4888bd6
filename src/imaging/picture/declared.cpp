#include "imaging/picture/declared.hpp"

#include <algorithm>

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/gif/container.hpp"
#include "codecs/gif/lzw.hpp"
#include "codecs/jpeg/frame.hpp"
#include "codecs/webp/container.hpp"

namespace tessera::imaging {
namespace {

Declared still(DeclaredSize size, std::optional<std::int64_t> most_pixels) {
    return {size, size, most_pixels};
}

std::int64_t bits_in(codecs::FileBytes bytes) {
    return static_cast<std::int64_t>(bytes.size()) * 8;
}

// A Huffman code has a bit at least, and a block of 8 x 8 pixels has a code at least. Arithmetic codes have no such
// bound.
std::optional<Declared> jpeg(int file, codecs::FileBytes bytes) {
    const auto frame = codecs::read_jpeg_frame(file);
    if (!frame) return std::nullopt;
    const DeclaredSize size{frame->width, frame->height};
    if (frame->arithmetic) return still(size, std::nullopt);
    // Blocks at the right and lower edges may have a single pixel in them.
    const std::int64_t blocks = ((size.width + 7) / 8) * ((size.height + 7) / 8);
    const bool held = blocks <= bits_in(bytes);
    return still(size, held ? std::nullopt : std::optional(bits_in(bytes) * 64));
}

// Deflate makes 258 bytes of two bits at best.
std::optional<Declared> png(codecs::FileBytes bytes) {
    constexpr std::int64_t most_from_deflate = 1032;
    constexpr std::size_t header = 26;  // as far as the colour type
    if (bytes.size() < header) return std::nullopt;
    const DeclaredSize size{codecs::read_big32(bytes, 16), codecs::read_big32(bytes, 20)};
    const int type = bytes[25];
    const int channels = type == 2 ? 3 : type == 4 ? 2 : type == 6 ? 4 : 1;
    const int pixel_bits = std::max(1, bytes[24] * channels);
    return still(size, bits_in(bytes) * most_from_deflate / pixel_bits);
}

// A macroblock of 16 x 16 says how it is predicted with the probabilities of the format: more than three bits at best.
std::optional<Declared> webp(codecs::FileBytes bytes) {
    constexpr std::int64_t macroblock = 16;
    constexpr std::int64_t fewest_bits = 2;
    const auto container = codecs::read_webp_container(bytes);
    if (!container) return std::nullopt;
    Declared declared{
        {container->width, container->height}, {container->frame_width, container->frame_height}, std::nullopt};
    const std::int64_t macroblocks = ((declared.frame.width + macroblock - 1) / macroblock) *
                                     ((declared.frame.height + macroblock - 1) / macroblock);
    const std::int64_t most = bits_in(container->picture) / fewest_bits;
    if (container->lossy && macroblocks > most) declared.most_pixels = most * macroblock * macroblock;
    return declared;
}

std::optional<Declared> gif(codecs::FileBytes bytes) {
    const auto container = codecs::read_gif_container(bytes);
    if (!container) return std::nullopt;
    return Declared{{container->width, container->height},
                    {container->frame_width, container->frame_height},
                    codecs::most_from_lzw(container->code_size, container->compressed_bytes)};
}

}  // namespace

std::optional<Declared> read_declared(int file, ImageFormat format) {
    const auto mapped = codecs::MappedFile::open(file);
    if (!mapped) return std::nullopt;
    switch (format) {
        case ImageFormat::jpeg: return jpeg(file, mapped->bytes());
        case ImageFormat::png: return png(mapped->bytes());
        case ImageFormat::webp: return webp(mapped->bytes());
        case ImageFormat::gif: return gif(mapped->bytes());
        case ImageFormat::avif:
        case ImageFormat::heif:
        case ImageFormat::jxl: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace tessera::imaging
