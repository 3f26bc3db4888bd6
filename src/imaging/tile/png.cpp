// PNG tiles: the smallest exact pixel type, our own choice of filters, and a quick encoder for photographs or
// libdeflate for the rest.
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <vector>

#include "imaging/png/chunks.hpp"
#include "imaging/png/photo_deflate.hpp"
#include "imaging/tile/codecs.hpp"
#include "imaging/tile/png_filter.hpp"
#include "imaging/tile/png_palette.hpp"

namespace tessera::imaging {
namespace {

constexpr int level_of(Effort effort) {
    return effort == Effort::quick ? 6 : 9;
}

constexpr std::array<std::uint8_t, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

struct FreeCompressor {
    void operator()(libdeflate_compressor* it) const { libdeflate_free_compressor(it); }
};

class PngTileEncoder final : public TileEncoder {
  public:
    explicit PngTileEncoder(Effort effort)
        : effort_(effort), compressor_(libdeflate_alloc_compressor(level_of(effort))) {}

    Result<std::span<const std::uint8_t>> encode(const ImageView& tile) override {
        if (plane_count(tile.layout) != 1) return internal_error("PNG tiles are made from gray, rgb or rgba");
        if (!compressor_) return internal_error("out of memory for libdeflate");
        choose_png_pixels(tile, pixels_);
        filter_rows(tile);

        bytes_.assign(signature.begin(), signature.end());
        chunk("IHDR", [&] {
            put_big_endian(bytes_, static_cast<std::uint32_t>(tile.width));
            put_big_endian(bytes_, static_cast<std::uint32_t>(tile.height));
            const auto colour = static_cast<std::uint8_t>(pixels_.colour);
            bytes_.insert(bytes_.end(), {static_cast<std::uint8_t>(pixels_.bit_depth), colour, 0, 0, 0});
        });
        if (pixels_.colour == PngColourType::palette) write_palette();
        chunk("IDAT", [&] { deflate(); });
        chunk("IEND", [] {});
        return std::span<const std::uint8_t>(bytes_);
    }

  private:
    void filter_rows(const ImageView& tile) {
        const std::size_t line = pixels_.row_bytes + 1;
        const auto height = static_cast<std::size_t>(tile.height);
        filtered_.resize(line * height);
        const auto row = [&](std::size_t y) {
            return pixels_.rows.empty() ? tile.planes[0].row(static_cast<std::int64_t>(y))
                                        : pixels_.rows.data() + y * pixels_.row_bytes;
        };
        if (pixels_.colour == PngColourType::palette) {  // neighbouring numbers say nothing of one another
            for (std::size_t y = 0; y < height; ++y) {
                filtered_[y * line] = 0;
                std::copy_n(row(y), pixels_.row_bytes, filtered_.data() + y * line + 1);
            }
            return;
        }
        PngRowFilter filter(pixels_.row_bytes, static_cast<std::size_t>(channels_of(pixels_.colour)));
        for (std::size_t y = 0; y < height; ++y) {
            filter.filter(row(y), y == 0 ? nullptr : row(y - 1), filtered_.data() + y * line);
        }
    }

    void deflate() {
        // Photographs gain next to nothing from a search for what repeats; flat pictures gain much.
        const bool may_be_photo = effort_ == Effort::quick && pixels_.colour != PngColourType::palette;
        if (may_be_photo && suits_photo_deflate(filtered_)) {
            photo_deflate(filtered_, bytes_);
            return;
        }
        const std::size_t start = bytes_.size();
        bytes_.resize(start + libdeflate_zlib_compress_bound(compressor_.get(), filtered_.size()));
        const std::size_t size = libdeflate_zlib_compress(compressor_.get(), filtered_.data(), filtered_.size(),
                                                          bytes_.data() + start, bytes_.size() - start);
        bytes_.resize(start + size);
    }

    void write_palette() {
        chunk("PLTE", [&] {
            for (const std::uint32_t colour : pixels_.palette) {
                for (int shift = 0; shift < 24; shift += 8)
                    bytes_.push_back(static_cast<std::uint8_t>(colour >> shift));
            }
        });
        const auto opaque = std::lower_bound(pixels_.palette.begin(), pixels_.palette.end(), 0xff000000U);
        if (opaque == pixels_.palette.begin()) return;
        chunk("tRNS", [&] {
            for (auto it = pixels_.palette.begin(); it != opaque; ++it)
                bytes_.push_back(static_cast<std::uint8_t>(*it >> 24));
        });
    }

    template <typename Body>
    void chunk(const char* name, Body body) {
        const std::size_t start = bytes_.size();
        put_big_endian(bytes_, 0);
        bytes_.insert(bytes_.end(), name, name + 4);
        body();
        const std::size_t length = bytes_.size() - start - 8;
        for (std::size_t i = 0; i < 4; ++i) bytes_[start + i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
        put_big_endian(bytes_, libdeflate_crc32(0, bytes_.data() + start + 4, length + 4));
    }

    Effort effort_;
    std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor_;
    PngPixels pixels_;
    std::vector<std::uint8_t> filtered_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace

std::unique_ptr<TileEncoder> make_png_tile_encoder(Effort effort) {
    return std::make_unique<PngTileEncoder>(effort);
}

}  // namespace tessera::imaging
