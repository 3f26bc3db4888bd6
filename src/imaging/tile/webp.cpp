// WebP tiles, lossy: with our own encoder, and those with opacity with libwebp.
#include <webp/encode.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/vp8/encoder.hpp"
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
    explicit WebpTileEncoder(int quality) : encoder_(quality) {
        usable_ = WebPConfigPreset(&config_, WEBP_PRESET_DEFAULT, static_cast<float>(quality)) != 0 &&
                  WebPPictureInit(&picture_) != 0;
        picture_.writer = Sink::write;
        picture_.custom_ptr = &sink_;
    }
    ~WebpTileEncoder() override { WebPPictureFree(&picture_); }

    Result<std::span<const std::uint8_t>> encode(const ImageView& tile) override {
        switch (tile.layout) {
            case PixelLayout::gray:
            case PixelLayout::ycbcr420: return encode_planes(narrowed(tile));
            case PixelLayout::rgb:
            case PixelLayout::rgba: return encode_colours(tile);
            case PixelLayout::ycbcr444: break;
        }
        return internal_error("no WebP tile of this layout");
    }

  private:
    Result<std::span<const std::uint8_t>> encode_colours(const ImageView& tile) {
        if (!usable_) return internal_error("libwebp is of another version than its headers");
        picture_.use_argb = 0;
        picture_.width = tile.width;
        picture_.height = tile.height;
        const PlaneView& plane = tile.planes[0];
        const int stride = static_cast<int>(plane.stride);
        const int imported = tile.layout == PixelLayout::rgb ? WebPPictureImportRGB(&picture_, plane.data, stride)
                                                             : WebPPictureImportRGBA(&picture_, plane.data, stride);
        if (imported == 0) return failed();
        if (picture_.a == nullptr) {
            return encode_planes({tile.width,
                                  tile.height,
                                  {picture_.y, picture_.u, picture_.v},
                                  {picture_.y_stride, picture_.uv_stride, picture_.uv_stride}});
        }
        sink_.bytes.clear();
        if (WebPEncode(&config_, &picture_) == 0) return failed();
        return std::span<const std::uint8_t>(sink_.bytes);
    }
    Result<std::span<const std::uint8_t>> encode_planes(const codecs::vp8::Picture& picture) {
        const auto file = encoder_.encode(picture);
        if (!file) return internal_error("WebP tile: too many modes");
        return *file;
    }
    [[nodiscard]] Error failed() const {
        return internal_error("WebP tile: error " + std::to_string(picture_.error_code));
    }

    codecs::vp8::Picture narrowed(const ImageView& tile) {
        const auto width = static_cast<std::size_t>(tile.width);
        const std::size_t half_width = (width + 1) / 2;
        const auto half_height = static_cast<std::size_t>((tile.height + 1) / 2);
        luma_.resize(width * static_cast<std::size_t>(tile.height));
        for (int y = 0; y < tile.height; ++y) {
            narrow_luma(tile.planes[0].row(y), luma_.data() + static_cast<std::size_t>(y) * width, width);
        }
        for (std::size_t colour = 0; colour < 2; ++colour) {
            std::vector<std::uint8_t>& out = colours_[colour];
            out.resize(half_width * half_height);
            if (tile.layout == PixelLayout::gray) {
                std::fill(out.begin(), out.end(), std::uint8_t{128});
                continue;
            }
            for (std::size_t y = 0; y < half_height; ++y) {
                narrow_chroma(tile.planes[colour + 1].row(static_cast<int>(y)), out.data() + y * half_width,
                              half_width);
            }
        }
        const auto half_stride = static_cast<std::ptrdiff_t>(half_width);
        return {tile.width,
                tile.height,
                {luma_.data(), colours_[0].data(), colours_[1].data()},
                {tile.width, half_stride, half_stride}};
    }

    codecs::vp8::Encoder encoder_;
    std::vector<std::uint8_t> luma_;
    std::vector<std::uint8_t> colours_[2];
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
