// JPEG tiles with libjpeg-turbo. Planar tiles go in as they are: no colour conversion and no resampling.
#include <algorithm>
#include <array>

#include "codecs/jpeg/libjpeg_destination.hpp"
#include "imaging/tile/codecs.hpp"

namespace tessera::imaging {
namespace {

constexpr int max_rows = 16;  // of a plane in one row of MCUs

class JpegTileEncoder final : public TileEncoder {
  public:
    explicit JpegTileEncoder(int quality) : quality_(quality) {
        info_.err = guard_.install();
        jpeg_create_compress(&info_);
        destination_.install(info_);
    }
    ~JpegTileEncoder() override { jpeg_destroy_compress(&info_); }

    Result<std::span<const std::uint8_t>> encode(const ImageView& tile) override {
        if (tile.layout == PixelLayout::rgba) return internal_error("JPEG holds no alpha");
        if (!compress(tile)) return internal_error(std::string("JPEG tile: ") + guard_.message);
        return destination_.file();
    }

  private:
    // No object with a destructor lives in here: errors jump.
    bool compress(const ImageView& tile) {
        if (setjmp(guard_.jump) != 0) {
            jpeg_abort_compress(&info_);
            configured_ = false;
            return false;
        }
        if (!configured_ || layout_ != tile.layout) configure(tile.layout);
        info_.image_width = static_cast<JDIMENSION>(tile.width);
        info_.image_height = static_cast<JDIMENSION>(tile.height);
        jpeg_start_compress(&info_, TRUE);
        if (plane_count(tile.layout) == 3) {
            write_planes(tile);
        } else {
            write_rows(tile);
        }
        jpeg_finish_compress(&info_);
        return true;
    }

    void configure(PixelLayout layout) {
        const bool planar = plane_count(layout) == 3;
        info_.input_components = layout == PixelLayout::gray ? 1 : 3;
        info_.in_color_space = layout == PixelLayout::gray ? JCS_GRAYSCALE : planar ? JCS_YCbCr : JCS_RGB;
        jpeg_set_defaults(&info_);
        jpeg_set_quality(&info_, quality_, TRUE);
        info_.raw_data_in = planar ? TRUE : FALSE;
        const bool halved =
            layout == PixelLayout::ycbcr420 || (layout == PixelLayout::rgb && quality_ < full_colour_jpeg_quality);
        info_.comp_info[0].h_samp_factor = halved ? 2 : 1;
        info_.comp_info[0].v_samp_factor = halved ? 2 : 1;
        layout_ = layout;
        configured_ = true;
    }

    void write_rows(const ImageView& tile) {
        std::array<JSAMPROW, max_rows> rows;
        while (info_.next_scanline < info_.image_height) {
            const JDIMENSION count = std::min<JDIMENSION>(max_rows, info_.image_height - info_.next_scanline);
            for (JDIMENSION i = 0; i < count; ++i) {
                rows[i] = const_cast<JSAMPROW>(tile.planes[0].row(info_.next_scanline + i));
            }
            jpeg_write_scanlines(&info_, rows.data(), count);
        }
    }

    // Tiles are whole MCUs, so that libjpeg reads no further than the planes go.
    void write_planes(const ImageView& tile) {
        std::array<std::array<JSAMPROW, max_rows>, 3> rows;
        std::array<JSAMPARRAY, 3> planes = {rows[0].data(), rows[1].data(), rows[2].data()};
        const int per_mcu = DCTSIZE * info_.max_v_samp_factor;
        while (info_.next_scanline < info_.image_height) {
            for (int plane = 0; plane < 3; ++plane) {
                const int shift = plane_shift(tile.layout, plane);
                const int last = static_cast<int>(plane_length(tile.layout, plane, tile.height)) - 1;
                for (int i = 0; i < per_mcu >> shift; ++i) {
                    const int y = std::min((static_cast<int>(info_.next_scanline) >> shift) + i, last);
                    rows[static_cast<std::size_t>(plane)][static_cast<std::size_t>(i)] =
                        const_cast<JSAMPROW>(tile.planes[static_cast<std::size_t>(plane)].row(y));
                }
            }
            jpeg_write_raw_data(&info_, planes.data(), static_cast<JDIMENSION>(per_mcu));
        }
    }

    int quality_;
    codecs::JpegGuard guard_{};
    codecs::JpegDestination destination_{};
    jpeg_compress_struct info_{};
    bool configured_ = false;
    PixelLayout layout_ = PixelLayout::gray;
};

}  // namespace

std::unique_ptr<TileEncoder> make_jpeg_tile_encoder(int quality) {
    return std::make_unique<JpegTileEncoder>(quality);
}

}  // namespace tessera::imaging
