#include "tiles/patch/canvas.hpp"

#include <algorithm>
#include <cstring>

#include "imaging/tile/halve.hpp"
#include "tiles/patch/formats.hpp"

namespace tessera::tiles {

Result<std::shared_ptr<PatchCanvas>> PatchCanvas::open(const imaging::TileEncoding& encoding, Bytes original,
                                                       int tile_size, DirtyCells dirty) {
    switch (encoding.format) {
        case ImageFormat::jpeg:
            return open_jpeg_canvas(encoding.quality, std::move(original), tile_size, std::move(dirty));
        case ImageFormat::png: return open_png_canvas(std::move(original), tile_size, std::move(dirty));
        default: return open_whole_canvas(encoding.format, std::move(original), tile_size, std::move(dirty));
    }
}

void PatchCanvas::take_back(const PatchCanvas& earlier, const PixelSet& wanted) {
    const PixelLayout layout = pixels_.layout();
    if (earlier.pixels_.layout() != layout) return;  // nothing is lost but a little sharpness
    const auto bytes = static_cast<std::size_t>(bytes_per_pixel(layout));
    for (int plane = 0; plane < plane_count(layout); ++plane) {
        const int shift = plane_shift(layout, plane);
        for (std::int64_t y = 0; y < pixels_.height() >> shift; ++y) {
            std::uint8_t* to = pixels_.row(plane, y);
            const std::uint8_t* from = earlier.pixels_.row(plane, y);
            for (std::int64_t x = 0; x < pixels_.width() >> shift; ++x, to += bytes, from += bytes) {
                if (wanted.has_any(x, y, shift)) std::memcpy(to, from, bytes);
            }
        }
    }
}

Result<void> PatchCanvas::take_half(const PatchCanvas& child, int column, int row, std::int64_t width,
                                    std::int64_t height) {
    if (child.pixels_.layout() != pixels_.layout())
        return internal_error("tiles of one tileset differ in their colours");
    const std::int64_t half = pixels_.width() / 2;
    child.dirty_.for_each([&](int x, int y) {
        const std::int64_t left = std::int64_t{x} * cell_size;
        const std::int64_t top = std::int64_t{y} * cell_size;
        const auto across = static_cast<int>(std::min<std::int64_t>(cell_size, width - left));
        const auto down = static_cast<int>(std::min<std::int64_t>(cell_size, height - top));
        if (across <= 0 || down <= 0) return;
        imaging::halve(child.pixels_.view(left, top, across, down), pixels_, column * half + left / 2,
                       row * half + top / 2);
    });
    return {};
}

Result<Bytes> PatchCanvas::encode(imaging::TileEncoder& encoder, Effort effort) {
    if (!take_changes()) return original_;
    if (auto shorter = recipe()) return std::move(*shorter);
    return whole(encoder, effort);
}

Result<Bytes> PatchCanvas::encode_pixels(imaging::TileEncoder& encoder) const {
    const auto bytes = encoder.encode(pixels_.view());
    if (!bytes) return bytes.error();
    return Bytes(bytes->begin(), bytes->end());
}

}  // namespace tessera::tiles
