// WebP tiles with libwebp, lossy, at the library's own balance of speed and size.
#include <webp/encode.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/simd.hpp"
#include "imaging/tile/codecs.hpp"

namespace tessera::imaging {
namespace {

struct Sink {
    std::vector<std::uint8_t> bytes;
    static int write(const std::uint8_t* data, std::size_t size, const WebPPicture* picture) {
        auto& sink = *static_cast<Sink*>(picture->custom_ptr);
        sink.bytes.insert(sink.bytes.end(), data, data + size);
        return 1;
    }
};

// JPEG's YCbCr uses all of 0 to 255, WebP's keeps to 16 to 235 and 16 to 240.
TESSERA_VECTORISED
void narrow_luma(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<std::uint8_t>((from[i] * 219U + (16U * 255U + 127U)) / 255U);
}

TESSERA_VECTORISED
void narrow_chroma(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    // (c - 128) * 224 / 255 + 128, without a negative number on the way.
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<std::uint8_t>((from[i] * 224U + (32640U - 28672U + 127U)) / 255U);
}

class WebpTileEncoder final : public TileEncoder {
  public:
    explicit WebpTileEncoder(int quality) {
        usable_ = WebPConfigPreset(&config_, WEBP_PRESET_DEFAULT, static_cast<float>(quality)) != 0 &&
                  WebPPictureInit(&picture_) != 0;
        picture_.writer = Sink::write;
        picture_.custom_ptr = &sink_;
    }
    ~WebpTileEncoder() override { WebPPictureFree(&picture_); }

    Result<std::span<const std::uint8_t>> encode(const ImageView& tile) override {
        if (!usable_) return internal_error("libwebp is of another version than its headers");
        sink_.bytes.clear();
        picture_.use_argb = 0;
        picture_.width = tile.width;
        picture_.height = tile.height;
        if (!import(tile) || WebPEncode(&config_, &picture_) == 0) {
            return internal_error("WebP tile: error " + std::to_string(picture_.error_code));
        }
        return std::span<const std::uint8_t>(sink_.bytes);
    }

  private:
    bool import(const ImageView& tile) {
        const PlaneView& plane = tile.planes[0];
        const int stride = static_cast<int>(plane.stride);
        switch (tile.layout) {
            case PixelLayout::rgb: return WebPPictureImportRGB(&picture_, plane.data, stride) != 0;
            case PixelLayout::rgba: return WebPPictureImportRGBA(&picture_, plane.data, stride) != 0;
            case PixelLayout::gray:
            case PixelLayout::ycbcr420: return import_planes(tile);
            case PixelLayout::ycbcr444: return false;
        }
        return false;
    }

    bool import_planes(const ImageView& tile) {
        if (WebPPictureAlloc(&picture_) == 0) return false;
        for (int y = 0; y < tile.height; ++y) {
            narrow_luma(tile.planes[0].row(y), picture_.y + std::ptrdiff_t{y} * picture_.y_stride,
                        static_cast<std::size_t>(tile.width));
        }
        const auto columns = static_cast<std::size_t>((tile.width + 1) / 2);
        for (int y = 0; y < (tile.height + 1) / 2; ++y) {
            std::uint8_t* u = picture_.u + std::ptrdiff_t{y} * picture_.uv_stride;
            std::uint8_t* v = picture_.v + std::ptrdiff_t{y} * picture_.uv_stride;
            if (tile.layout == PixelLayout::gray) {
                std::fill_n(u, columns, std::uint8_t{128});
                std::fill_n(v, columns, std::uint8_t{128});
            } else {
                narrow_chroma(tile.planes[1].row(y), u, columns);
                narrow_chroma(tile.planes[2].row(y), v, columns);
            }
        }
        return true;
    }

    WebPConfig config_{};
    WebPPicture picture_{};
    Sink sink_;
    bool usable_ = false;
};

}  // namespace

std::unique_ptr<TileEncoder> make_webp_tile_encoder(int quality) {
    return std::make_unique<WebpTileEncoder>(quality);
}

}  // namespace tessera::imaging
