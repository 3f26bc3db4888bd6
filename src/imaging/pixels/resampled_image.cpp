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
        : resampler_({image.width(), image.height()}, part, size,
                     {image.bands(), image.has_alpha(), image.format() == VIPS_FORMAT_USHORT}) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        while (resampler_.rows_added() < resampler_.rows_needed()) {
            const std::uint8_t* row = upstream->next();
            if (row == nullptr) return false;
            resampler_.add(row);
        }
        resampler_.take(out);
        return true;
    }

  private:
    Resampler resampler_;
};

}  // namespace

std::optional<VImage> resampled(const VImage& image, const Part& part, Size size) {
    const bool whole_samples = image.format() == VIPS_FORMAT_UCHAR || image.format() == VIPS_FORMAT_USHORT;
    const bool plain = whole_samples && image.coding() == VIPS_CODING_NONE && image.bands() <= 4;
    constexpr int longest_edge = 1 << 17;  // weights are kept for every pixel of an edge
    if (!plain || std::max(image.width(), image.height()) > longest_edge) return std::nullopt;
    return image_of_rows(image, static_cast<int>(size.width), static_cast<int>(size.height),
                         std::make_unique<ResampledRows>(image, part, size), true);
}

}  // namespace tessera::imaging
