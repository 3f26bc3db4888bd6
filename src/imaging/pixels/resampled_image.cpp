#include "imaging/pixels/resampled_image.hpp"

#include <algorithm>
#include <memory>

#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

class ResampledRows final : public RowMaker {
  public:
    ResampledRows(const VImage& image, const Part& part, Size size)
        : resampler_({image.width(), image.height()}, part, size, image.bands(), image.has_alpha()),
          width_(image.width()),
          height_(image.height()) {}

    bool write(std::uint8_t* out, VipsRegion* upstream) override {
        while (resampler_.rows_added() < resampler_.rows_needed()) {
            const int y = resampler_.rows_added();
            if (!holds(upstream, y) && !fetch(upstream, y)) return false;
            resampler_.add(upstream->data + std::ptrdiff_t{y - upstream->valid.top} * upstream->bpl);
        }
        resampler_.take(out);
        return true;
    }

  private:
    // Each thread of libvips' comes with a region of its own.
    [[nodiscard]] bool holds(const VipsRegion* upstream, int y) const {
        return upstream == held_ && y >= upstream->valid.top && y < upstream->valid.top + upstream->valid.height;
    }
    bool fetch(VipsRegion* upstream, int y) {
        constexpr int rows_at_once = 16;
        const VipsRect area{0, y, width_, std::min(rows_at_once, height_ - y)};
        held_ = vips_region_prepare(upstream, &area) == 0 ? upstream : nullptr;
        return held_ != nullptr;
    }

    Resampler resampler_;
    int width_;
    int height_;
    const VipsRegion* held_ = nullptr;
};

}  // namespace

std::optional<VImage> resampled(const VImage& image, const Part& part, Size size) {
    const bool plain = image.format() == VIPS_FORMAT_UCHAR && image.coding() == VIPS_CODING_NONE && image.bands() <= 4;
    const bool grows =
        static_cast<double>(size.width) > part.across.length || static_cast<double>(size.height) > part.down.length;
    constexpr int longest_edge = 1 << 17;  // weights are kept for every pixel of an edge
    if (!plain || grows || std::max(image.width(), image.height()) > longest_edge) return std::nullopt;
    return image_of_rows(image, static_cast<int>(size.width), static_cast<int>(size.height),
                         std::make_unique<ResampledRows>(image, part, size), true);
}

}  // namespace tessera::imaging
