#include "imaging/formats/reduced_webp.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "codecs/vp8/decode/decoder.hpp"
#include "core/simd.hpp"
#include "imaging/pixels/area_shrink.hpp"

namespace tessera::imaging {
namespace {

// ITU-R BT.601, from its range for television.
TESSERA_VECTORISED
void to_rgb(const float* luma, const float* blue, const float* red, std::size_t size, std::uint8_t* out) {
    const auto byte = [](float value) { return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F)); };
    for (std::size_t i = 0; i < size; ++i) {
        const float y = 1.164384F * (luma[i] - 16);
        const float u = blue[i] - 128;
        const float v = red[i] - 128;
        out[3 * i] = byte(y + 1.596027F * v);
        out[3 * i + 1] = byte(y - 0.391762F * u - 0.812968F * v);
        out[3 * i + 2] = byte(y + 2.017232F * u);
    }
}

// One of the three, as far as its rows went into smaller ones.
class ReducedPlane {
  public:
    ReducedPlane(const AreaCuts& across, const AreaCuts& down) : shrink_(across, down) {}

    void begin(const codecs::vp8::Decoder::Plane& rows) {
        rows_ = rows;
        next_ = 0;
    }
    // As many as there are, up to the next smaller one.
    bool advance() {
        for (; !shrink_.is_ready() && next_ < rows_.rows; ++next_) {
            shrink_.add(rows_.pixels + static_cast<std::size_t>(next_) * rows_.stride);
        }
        return shrink_.is_ready();
    }
    const float* take() { return shrink_.take().data(); }

  private:
    AreaShrink shrink_;
    codecs::vp8::Decoder::Plane rows_;
    int next_ = 0;
};

class ReducedWebpRows final : public RowMaker {
  public:
    ReducedWebpRows(codecs::MappedFile file, codecs::vp8::Decoder decoder, int width, int height)
        : file_(std::move(file)),
          decoder_(std::move(decoder)),
          width_(static_cast<std::size_t>(width)),
          planes_{plane_of(256, width, height), plane_of(512, width, height), plane_of(512, width, height)} {}

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        // All three are cut at the same places, so that they are ready after the same row of macroblocks.
        while (!advance()) {
            if (!decoder_.next()) {
                vips_error("webp", "WebP data ends early");
                return false;
            }
            for (int i = 0; i < 3; ++i) planes_[static_cast<std::size_t>(i)].begin(decoder_.plane(i));
        }
        to_rgb(planes_[0].take(), planes_[1].take(), planes_[2].take(), width_, out);
        return true;
    }

  private:
    [[nodiscard]] ReducedPlane plane_of(int units, int width, int height) const {
        constexpr std::int64_t of_luma = 256;
        return {AreaCuts(decoder_.width() * of_luma, units, width),
                AreaCuts(decoder_.height() * of_luma, units, height)};
    }
    bool advance() {
        bool all = true;
        for (ReducedPlane& plane : planes_) all = plane.advance() && all;
        return all;
    }

    codecs::MappedFile file_;  // which the decoder reads
    codecs::vp8::Decoder decoder_;
    std::size_t width_;
    std::array<ReducedPlane, 3> planes_;
};

// The frame, where the picture is one chunk of it and all of that is there.
std::optional<codecs::FileBytes> only_frame(codecs::FileBytes picture) {
    constexpr std::size_t header = 8;
    if (picture.size() < header) return std::nullopt;
    const std::size_t size = codecs::read_little32(picture, 4);
    if (codecs::text_of(picture.first(4)) != "VP8 " || size > picture.size() - header) return std::nullopt;
    return picture.subspan(header, size);
}

}  // namespace

std::unique_ptr<RowMaker> reduced_webp_rows(codecs::MappedFile& file, const codecs::WebpContainer& container, int width,
                                            int height) {
    if (!container.frame_is_canvas() || 2 * width > container.width || 2 * height > container.height) return nullptr;
    const auto frame = only_frame(container.picture);
    if (!frame) return nullptr;
    auto decoder = codecs::vp8::Decoder::open(*frame);
    if (!decoder || decoder->width() != container.width || decoder->height() != container.height) return nullptr;
    return std::make_unique<ReducedWebpRows>(std::move(file), std::move(*decoder), width, height);
}

}  // namespace tessera::imaging
