#include "imaging/tile/decoder.hpp"

#include <webp/decode.h>

#include <string>

#include "codecs/jpeg/libjpeg_guard.hpp"
#include "codecs/png/tile_reader.hpp"

namespace tessera::imaging {
namespace {

struct JpegDecoder {
    codecs::JpegGuard guard{};
    jpeg_decompress_struct info{};

    JpegDecoder() {
        info.err = guard.install();
        jpeg_create_decompress(&info);
    }
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;
    ~JpegDecoder() { jpeg_destroy_decompress(&info); }

    // Left by a jump on errors: no object with a destructor lives in it.
    bool decode(std::span<const std::uint8_t> bytes, ImageBuffer& tile) {
        if (setjmp(guard.jump) != 0) return false;
        jpeg_mem_src(&info, bytes.data(), bytes.size());
        jpeg_read_header(&info, TRUE);
        const bool has_alpha = tile.layout() == PixelLayout::rgba;
        info.out_color_space = has_alpha ? JCS_EXT_RGBA : JCS_RGB;
        if (info.image_width != tile.width() || info.image_height != tile.height()) return false;
        jpeg_start_decompress(&info);
        while (info.output_scanline < info.output_height) {
            JSAMPROW row = tile.row(0, info.output_scanline);
            jpeg_read_scanlines(&info, &row, 1);
        }
        jpeg_finish_decompress(&info);
        return !guard.truncated && !guard.ended;
    }
};

bool decode_webp(std::span<const std::uint8_t> bytes, ImageBuffer& tile) {
    int width = 0;
    int height = 0;
    if (WebPGetInfo(bytes.data(), bytes.size(), &width, &height) == 0) return false;
    if (width != tile.width() || height != tile.height()) return false;
    const std::size_t room = tile.stride(0) * static_cast<std::size_t>(height);
    const int stride = static_cast<int>(tile.stride(0));
    const auto* decoded = tile.layout() == PixelLayout::rgba
                              ? WebPDecodeRGBAInto(bytes.data(), bytes.size(), tile.row(0, 0), room, stride)
                              : WebPDecodeRGBInto(bytes.data(), bytes.size(), tile.row(0, 0), room, stride);
    return decoded != nullptr;
}

}  // namespace

Result<ImageBuffer> decode_tile(ImageFormat format, std::span<const std::uint8_t> bytes, int tile_size,
                                PixelLayout layout) {
    ImageBuffer tile(layout, tile_size, tile_size);
    bool decoded = false;
    switch (format) {
        case ImageFormat::jpeg: decoded = JpegDecoder().decode(bytes, tile); break;
        case ImageFormat::png:
            if (const auto png = codecs::read_png_tile(bytes, tile_size)) {
                png->paint(tile, {0, tile_size});
                decoded = true;
            }
            break;
        case ImageFormat::webp: decoded = decode_webp(bytes, tile); break;
        default: break;
    }
    if (!decoded) return internal_error("a " + std::string(to_string(format)) + " tile can't be decoded");
    return tile;
}

}  // namespace tessera::imaging
